/* SPDX-License-Identifier: Apache-2.0 */
/* What ecube puts into the data field of a word: the number of the packet at its source, and the
 * number of the word in its packet. Routers never read it. */
#ifndef EC_PAYLOAD_H
#define EC_PAYLOAD_H

#include "ecube/word.h"

#define PACKET_NUMBER_BITS    14
#define PACKET_WORD_BITS      (EC_WORD_DATA_BITS - PACKET_NUMBER_BITS)
#define PACKETS_IN_FLIGHT_MAX (1u << PACKET_NUMBER_BITS) /* per source */

#endif
