/* SPDX-License-Identifier: Apache-2.0 */
/* Launchers. Knows the variables that they set; must not know MPI. */
#include "parts/ranks/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Each launcher, before those that may have started it: mpirun starts its daemons by srun. Those of
 * a batch script itself, which is no job of several processes, do not count. */
static const struct launcher {
    const char *name;
    const char *rank, *ranks;    /* variables */
    const char *sign;            /* another variable that must be set; NULL: none */
    enum launch_library library; /* LAUNCH_ALONE: the processes cannot find each other */
} launchers[] = {
    {"mpirun of Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, LAUNCH_OPEN_MPI},
    {"srun --mpi=pmix", "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "PMIX_NAMESPACE", LAUNCH_OPEN_MPI},
    {"mpirun of MPICH", "PMI_RANK", "PMI_SIZE", NULL, LAUNCH_MPICH},
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL, LAUNCH_ALONE},
};

static const char *const library_names[] = {
    [LAUNCH_ALONE] = "none", [LAUNCH_OPEN_MPI] = "openmpi", [LAUNCH_MPICH] = "mpich"};

const char *launch_library_name(enum launch_library library)
{
    return library_names[library];
}

static bool number_of(const char *variable, uint64_t *ret)
{
    const char *text = getenv(variable);
    return text && ec_slice_number(ec_slice_of(text), UINT32_MAX, ret);
}

static uint32_t ranks_here(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
    uint64_t here = 0;
    for (size_t i = 0; here == 0 && i < sizeof variables / sizeof *variables; i++)
        (void)number_of(variables[i], &here);
    return here > 0 ? (uint32_t)here : 1;
}

/* The launcher that started several processes; NULL: there is none. */
static const struct launcher *find(struct launch *ret)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *l = &launchers[i];
        uint64_t rank, ranks;
        if ((l->sign && !getenv(l->sign)) || !number_of(l->rank, &rank) ||
            !number_of(l->ranks, &ranks))
            continue;
        if (ranks < 2 || rank >= ranks)
            return NULL;
        *ret = (struct launch){.library = l->library,
                               .launcher = l->name,
                               .rank = (uint32_t)rank,
                               .ranks = (uint32_t)ranks,
                               .here = ranks_here()};
        return l;
    }
    return NULL;
}

/* What $ECUBE_MPI says; false: nothing. */
static bool choose(const char *text, enum launch_library *ret)
{
    for (size_t i = 0; i < sizeof library_names / sizeof *library_names; i++) {
        if (strcmp(text, library_names[i]) == 0) {
            *ret = (enum launch_library)i;
            return true;
        }
    }
    return false;
}

bool launch_relays(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") != NULL;
}

enum ec_code launch_detect(struct launch *ret, struct ec_error *reterr)
{
    static const struct launch alone = {.launcher = "no launcher", .ranks = 1, .here = 1};
    const char *text = getenv("ECUBE_MPI");
    enum launch_library library = LAUNCH_ALONE;
    const bool chosen = text && *text;
    *ret = alone;
    const struct launcher *l = find(ret);
    if (chosen && !choose(text, &library))
        return ec_fail(reterr, EC_USAGE, "ECUBE_MPI '%.60s': expected openmpi, mpich or none",
                       text);
    if (chosen && library == LAUNCH_ALONE)
        *ret = alone;
    else if (l && chosen)
        ret->library = library;
    else if (l && l->library == LAUNCH_ALONE)
        return ec_fail(reterr, EC_USAGE,
                       "srun started %u processes that cannot find each other: use srun "
                       "--mpi=pmix (srun --mpi=list shows what there is) or mpirun, or set "
                       "ECUBE_MPI=none for independent runs",
                       ret->ranks);
    return EC_OK;
}
