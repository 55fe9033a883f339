/* SPDX-License-Identifier: Apache-2.0 */
/* Messages (parts/ranks/messages.h) by MPI 3.1. Compiled once against each MPI. Knows MPI; must not
 * know what is in a message, nor how long one waits for it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts/ranks/messages.h"
#include "parts/transport.h"

/* MPICH declares MPI_STATUSES_IGNORE so that gcc takes it for an array without elements. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

struct message {
    MPI_Request request;
    struct message *next;
    char bytes[];
};

struct messages {
    MPI_Comm all; /* of the ranks */
    MPI_Datatype unit, value;
    MPI_Op fold;
    MPI_Request request; /* of the collective transfer under way */
    MPI_Message found;   /* by find_message */
    int found_size;
    struct message *sent; /* not yet gone */
    char why[MESSAGES_WHY];
};

/* False, with the reason, if an MPI function failed. */
static bool good(struct messages *m, int error)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (error == MPI_SUCCESS)
        return true;
    if (MPI_Error_string(error, text, &length) != MPI_SUCCESS)
        length = 0;
    snprintf(m->why, sizeof m->why, "MPI: %.*s", length, text);
    return false;
}

static const char *why(const struct messages *m)
{
    return m->why;
}

static bool memory_fails(struct messages *m)
{
    snprintf(m->why, sizeof m->why, "out of memory for messages");
    return false;
}

/* --- Begin and end ---------------------------------------------------------------------------- */

static void fold_values(void *from, void *into, int *count, MPI_Datatype *type);

static bool open_type(struct messages *m, int size, MPI_Datatype *ret)
{
    return good(m, MPI_Type_contiguous(size, MPI_BYTE, ret)) && good(m, MPI_Type_commit(ret));
}

static bool open_all(struct messages *m, uint32_t *ret_rank, uint32_t *ret_ranks)
{
    int rank = 0, ranks = 0;
    const bool opened =
        good(m, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)) &&
        good(m, MPI_Comm_dup(MPI_COMM_WORLD, &m->all)) && open_type(m, MESSAGES_UNIT, &m->unit) &&
        open_type(m, sizeof(struct messages_value), &m->value) &&
        good(m, MPI_Op_create(fold_values, true, &m->fold)) &&
        good(m, MPI_Comm_rank(m->all, &rank)) && good(m, MPI_Comm_size(m->all, &ranks));
    *ret_rank = (uint32_t)rank;
    *ret_ranks = (uint32_t)ranks;
    return opened;
}

static bool has_threads(struct messages *m, int level)
{
    if (level >= MPI_THREAD_FUNNELED)
        return true;
    snprintf(m->why, sizeof m->why,
             "it was built without support of threads (MPI_THREAD_FUNNELED), which ecube needs");
    return false; /* without MPI_Finalize, so that rank 0 ends all ranks when it has spoken */
}

static bool begin(struct messages **ret, uint32_t *ret_rank, uint32_t *ret_ranks,
                  char text[MESSAGES_WHY])
{
    int level = 0;
    struct messages *m = calloc(1, sizeof *m);
    if (!m) {
        snprintf(text, MESSAGES_WHY, "out of memory for messages");
        return false;
    }
    m->request = MPI_REQUEST_NULL;
    /* Other threads compute, but only this one calls MPI. */
    if (!good(m, MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level)) ||
        !has_threads(m, level) || !open_all(m, ret_rank, ret_ranks)) {
        snprintf(text, MESSAGES_WHY, "%s", m->why);
        free(m);
        return false;
    }
    *ret = m;
    return true;
}

/* MPICH 4.0 over TCP waits for ever in MPI_Finalize if another rank is through with it some
 * milliseconds before, hence the barrier. */
static void end(struct messages *m)
{
    (void)MPI_Op_free(&m->fold);
    (void)MPI_Type_free(&m->value);
    (void)MPI_Type_free(&m->unit);
    (void)MPI_Comm_free(&m->all);
    (void)MPI_Barrier(MPI_COMM_WORLD);
    (void)MPI_Finalize();
    free(m);
}

static void kill_all(struct messages *m, int status)
{
    (void)m;
    (void)MPI_Abort(MPI_COMM_WORLD, status);
}

/* --- All ranks -------------------------------------------------------------------------------- */

/* For MPI_Op_create. */
static void fold_values(void *from, void *into, int *count, MPI_Datatype *type)
{
    const struct messages_value *b = from;
    struct messages_value *a = into;
    (void)type;
    for (int i = 0; i < *count; i++)
        a[i].value = exchange_fold_one(a[i].value, b[i].value, (enum exchange_fold)b[i].fold);
}

static bool fold_start(struct messages *m, struct messages_value *values, size_t count)
{
    return good(m, MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, m->value, m->fold, m->all,
                                  &m->request));
}

static bool collect_start(struct messages *m, const void *bytes, void *all, const int *units,
                          const int *at, bool everyone)
{
    int rank;
    if (!good(m, MPI_Comm_rank(m->all, &rank)))
        return false;
    return good(m, everyone ? MPI_Iallgatherv(bytes, units[rank], m->unit, all, units, at, m->unit,
                                              m->all, &m->request)
                            : MPI_Igatherv(bytes, units[rank], m->unit, all, units, at, m->unit, 0,
                                           m->all, &m->request));
}

static int test(struct messages *m)
{
    int done = 0;
    return good(m, MPI_Test(&m->request, &done, MPI_STATUS_IGNORE)) ? done : -1;
}

/* --- Messages to one rank --------------------------------------------------------------------- */

static int all_sent(struct messages *m)
{
    for (struct message **at = &m->sent; *at;) {
        struct message *l = *at;
        int done = 0;
        if (!good(m, MPI_Test(&l->request, &done, MPI_STATUS_IGNORE)))
            return -1;
        if (!done) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        free(l);
    }
    return !m->sent;
}

static bool send_message(struct messages *m, uint32_t rank, unsigned tag, const void *bytes,
                         size_t size)
{
    if (all_sent(m) < 0)
        return false;
    struct message *l = malloc(sizeof *l + size);
    if (!l)
        return memory_fails(m);
    if (size)
        memcpy(l->bytes, bytes, size);
    l->next = m->sent;
    m->sent = l;
    l->request = MPI_REQUEST_NULL;
    return good(m,
                MPI_Isend(l->bytes, (int)size, MPI_BYTE, (int)rank, (int)tag, m->all, &l->request));
}

static int find_message(struct messages *m, unsigned tag, uint32_t *rank, size_t *ret_size)
{
    MPI_Status status;
    int found = 0;
    const int source = *rank == EC_NONE ? MPI_ANY_SOURCE : (int)*rank;
    if (!good(m, MPI_Improbe(source, (int)tag, m->all, &found, &m->found, &status)))
        return -1;
    if (!found)
        return 0;
    if (!good(m, MPI_Get_count(&status, MPI_BYTE, &m->found_size)))
        return -1;
    *rank = (uint32_t)status.MPI_SOURCE;
    *ret_size = (size_t)m->found_size;
    return 1;
}

static bool take_message(struct messages *m, void *bytes)
{
    return good(m, MPI_Mrecv(bytes, m->found_size, MPI_BYTE, &m->found, MPI_STATUS_IGNORE));
}

#if defined OPEN_MPI
#define LIBRARY "Open MPI"
#elif defined MPICH_VERSION
#define LIBRARY "MPICH"
#else
#define LIBRARY "MPI"
#endif

static const struct messages_api api = {
    .abi = MESSAGES_ABI,
    .library = LIBRARY,
    .begin = begin,
    .end = end,
    .kill = kill_all,
    .why = why,
    .fold_start = fold_start,
    .collect_start = collect_start,
    .test = test,
    .send = send_message,
    .find = find_message,
    .take = take_message,
    .sent = all_sent,
};

const struct messages_api *ec_messages_api(void);

__attribute__((visibility("default"))) const struct messages_api *ec_messages_api(void)
{
    return &api;
}
