/* SPDX-License-Identifier: Apache-2.0 */
/* What the environment says about this process: started alone, or by a launcher (mpirun, srun)
 * together with others. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ecube/error.h"

/* The MPI whose module is to be loaded. */
enum launch_library { LAUNCH_ALONE, LAUNCH_OPEN_MPI, LAUNCH_MPICH };

struct launch {
    enum launch_library library;
    const char *launcher; /* for messages: "mpirun of Open MPI"; never NULL */
    uint32_t rank, ranks; /* ranks >= 1; LAUNCH_ALONE: 0 of 1 */
    uint32_t here;        /* ranks on this host, as far as the launcher says; at least 1 */
};

/* A job of one process is LAUNCH_ALONE. $ECUBE_MPI, if set, chooses the library ("openmpi",
 * "mpich"), or says that the processes of the job are independent of each other ("none"). EC_USAGE:
 * another value of it; several processes without the means to find each other (srun --mpi=none).
 * *ret is written in any case. */
enum ec_code launch_detect(struct launch *ret, struct ec_error *reterr);

/* Does a launcher relay the output of this process? Open MPI makes it look like a terminal. */
bool launch_relays(void);

/* The name in $ECUBE_MPI and in the file of the module: "openmpi". */
const char *launch_library_name(enum launch_library library);
