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

struct letter {
    MPI_Request request;
    struct letter *next;
    char bytes[];
};

struct messages {
    MPI_Comm data;    /* lanes and collective transfers */
    MPI_Comm letters; /* apart, so that tags cannot collide */
    MPI_Datatype unit, value;
    MPI_Op fold;
    MPI_Request request; /* of the collective transfer under way */
    MPI_Message found;   /* by letter_find */
    int found_size;
    struct letter *sent; /* not yet gone */
    char why[MESSAGES_WHY];
};

struct messages_set {
    struct messages *m;
    int count;
    MPI_Request request[];
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
    const bool opened = good(m, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)) &&
                        good(m, MPI_Comm_dup(MPI_COMM_WORLD, &m->data)) &&
                        good(m, MPI_Comm_dup(MPI_COMM_WORLD, &m->letters)) &&
                        open_type(m, MESSAGES_UNIT, &m->unit) &&
                        open_type(m, sizeof(struct messages_value), &m->value) &&
                        good(m, MPI_Op_create(fold_values, true, &m->fold)) &&
                        good(m, MPI_Comm_rank(m->data, &rank)) &&
                        good(m, MPI_Comm_size(m->data, &ranks));
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
    (void)MPI_Comm_free(&m->letters);
    (void)MPI_Comm_free(&m->data);
    (void)MPI_Barrier(MPI_COMM_WORLD);
    (void)MPI_Finalize();
    free(m);
}

static void kill_all(struct messages *m, int status)
{
    (void)m;
    (void)MPI_Abort(MPI_COMM_WORLD, status);
}

/* --- Lanes ------------------------------------------------------------------------------------ */

static void set_close(struct messages_set *s)
{
    for (int i = 0; s && i < s->count; i++) {
        int done = 1;
        if (s->request[i] == MPI_REQUEST_NULL)
            continue;
        if (MPI_Request_get_status(s->request[i], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
            (void)MPI_Cancel(&s->request[i]);
        (void)MPI_Request_free(&s->request[i]);
    }
    free(s);
}

static struct messages_set *set_open(struct messages *m, const struct messages_lane *lane,
                                     size_t count)
{
    struct messages_set *s = calloc(1, sizeof *s + count * sizeof(MPI_Request));
    if (!s) {
        (void)memory_fails(m);
        return NULL;
    }
    s->m = m;
    for (; (size_t)s->count < count; s->count++, lane++) {
        MPI_Request *r = &s->request[s->count];
        *r = MPI_REQUEST_NULL;
        if (good(m, lane->out ? MPI_Send_init(lane->bytes, (int)lane->size, MPI_BYTE,
                                              (int)lane->rank, (int)lane->tag, m->data, r)
                              : MPI_Recv_init(lane->bytes, (int)lane->size, MPI_BYTE,
                                              (int)lane->rank, (int)lane->tag, m->data, r)))
            continue;
        set_close(s);
        return NULL;
    }
    return s;
}

static bool set_start(struct messages_set *s)
{
    return good(s->m, MPI_Startall(s->count, s->request));
}

static int set_test(struct messages_set *s)
{
    int done = 0;
    return good(s->m, MPI_Testall(s->count, s->request, &done, MPI_STATUSES_IGNORE)) ? done : -1;
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
    return good(m, MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, m->value, m->fold, m->data,
                                  &m->request));
}

static bool collect_start(struct messages *m, const void *bytes, void *all, const int *units,
                          const int *at, bool everyone)
{
    int rank;
    if (!good(m, MPI_Comm_rank(m->data, &rank)))
        return false;
    return good(m, everyone ? MPI_Iallgatherv(bytes, units[rank], m->unit, all, units, at, m->unit,
                                              m->data, &m->request)
                            : MPI_Igatherv(bytes, units[rank], m->unit, all, units, at, m->unit, 0,
                                           m->data, &m->request));
}

static int test(struct messages *m)
{
    int done = 0;
    return good(m, MPI_Test(&m->request, &done, MPI_STATUS_IGNORE)) ? done : -1;
}

/* --- Letters ---------------------------------------------------------------------------------- */

static int letters_gone(struct messages *m)
{
    for (struct letter **at = &m->sent; *at;) {
        struct letter *l = *at;
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

static bool letter_send(struct messages *m, uint32_t rank, unsigned tag, const void *bytes,
                        size_t size)
{
    if (letters_gone(m) < 0)
        return false;
    struct letter *l = malloc(sizeof *l + size);
    if (!l)
        return memory_fails(m);
    if (size)
        memcpy(l->bytes, bytes, size);
    l->next = m->sent;
    m->sent = l;
    l->request = MPI_REQUEST_NULL;
    return good(
        m, MPI_Isend(l->bytes, (int)size, MPI_BYTE, (int)rank, (int)tag, m->letters, &l->request));
}

static int letter_find(struct messages *m, unsigned tag, uint32_t *ret_rank, size_t *ret_size)
{
    MPI_Status status;
    int found = 0;
    if (!good(m, MPI_Improbe(MPI_ANY_SOURCE, (int)tag, m->letters, &found, &m->found, &status)))
        return -1;
    if (!found)
        return 0;
    if (!good(m, MPI_Get_count(&status, MPI_BYTE, &m->found_size)))
        return -1;
    *ret_rank = (uint32_t)status.MPI_SOURCE;
    *ret_size = (size_t)m->found_size;
    return 1;
}

static bool letter_take(struct messages *m, void *bytes)
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
    .set_open = set_open,
    .set_start = set_start,
    .set_test = set_test,
    .set_close = set_close,
    .fold_start = fold_start,
    .collect_start = collect_start,
    .test = test,
    .letter_send = letter_send,
    .letter_find = letter_find,
    .letter_take = letter_take,
    .letters_gone = letters_gone,
};

const struct messages_api *ec_messages_api(void);

__attribute__((visibility("default"))) const struct messages_api *ec_messages_api(void)
{
    return &api;
}
