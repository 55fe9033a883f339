/* SPDX-License-Identifier: Apache-2.0 */
/* Finding what belongs to this program: in its build tree, or in the installation it is part of. */
#ifndef ECUBE_BESIDE_H
#define ECUBE_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that has the file `proof`: `built` if this program or library is in the build tree,
 * else PREFIX/`installed` for a PREFIX somewhere above it. False if there is none. */
bool ec_beside(const char *built, const char *installed, const char *proof, char *buffer,
               size_t size);

/* Can `folder`/`file` be read? */
bool ec_folder_has(const char *folder, const char *file);

#endif
