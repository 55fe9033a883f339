/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the messages of a workload, or those that a run has sent, as a trace. Knows the columns,
 * and which messages share a port; must not know where the messages come from. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/output.h"
#include "ecube/events.h"
#include "ecube/route.h"

struct export
{
    const struct ec_workload *w;
    const struct ec_topology *t;
    const struct ec_router *r;
    const struct ec_message_order *order; /* NULL: a plain trace */
    bool cycles;                          /* some message has a cycle of its own */
    uint32_t *last; /* [ports] the last message of the port; NULL: behind[] has what is needed */
    FILE *file;
};

static uint64_t id_of(const struct ec_workload *w, size_t i)
{
    return w->ids ? w->ids[i] : i;
}

/* The message that must be sent before message i. In a list that is sent in order, it is the one
 * before on the same port, unless its step is earlier. EC_NONE: none. */
static uint32_t behind(const struct export *x, size_t i)
{
    const struct ec_message_order *o = x->order;
    const struct ec_message *m = &x->w->messages[i];
    if (!x->last)
        return o->behind ? o->behind[i] : EC_NONE;
    const unsigned locals = ec_router_locals(x->r, x->t);
    const uint32_t link = locals > 1 ? ec_route_link(x->t, x->r, m->src, m->dst) : EC_NONE;
    uint32_t *last = &x->last[(size_t)m->src * locals + (link == EC_NONE ? 0 : link)];
    const uint32_t before = *last;
    *last = (uint32_t)i;
    return before != EC_NONE && o->by_step && o->step[before] < o->step[i] ? EC_NONE : before;
}

static void put_remark(FILE *out, const char *remark)
{
    for (bool begin = true; remark && *remark; remark++) {
        fputs(begin ? "# " : "", out);
        fputc(*remark, out);
        begin = *remark == '\n';
        if (!begin && !remark[1])
            fputc('\n', out);
    }
}

static void put_header(const struct export *x)
{
    const struct ec_message_order *o = x->order;
    fprintf(x->file, "%ssource,destination,words", x->cycles ? "cycle," : "");
    if (o)
        fprintf(x->file, ",id,%s%s,behind", o->by_step ? "step" : "after",
                o->delay ? ",delay" : "");
    fputc('\n', x->file);
}

static void put_row(const struct export *x, size_t i)
{
    const struct ec_message_order *o = x->order;
    const struct ec_message *m = &x->w->messages[i];
    if (x->cycles)
        fprintf(x->file, "%" PRIu64 ",", m->cycle);
    fprintf(x->file, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, m->src, m->dst, m->words);
    if (o && id_of(x->w, i) != EC_NO_ID)
        fprintf(x->file, ",%" PRIu64 ",", id_of(x->w, i));
    else if (o)
        fputs(",,", x->file);
    if (o && o->by_step)
        fprintf(x->file, "%" PRIu32, o->step[i]);
    for (size_t k = o && !o->by_step ? o->first[i] : 0; o && !o->by_step && k < o->first[i + 1];
         k++)
        fprintf(x->file, "%s%" PRIu64, k > o->first[i] ? " " : "", id_of(x->w, o->after[k]));
    if (o && o->delay)
        fprintf(x->file, ",%" PRIu32, o->delay[i]);
    const uint32_t before = o ? behind(x, i) : EC_NONE;
    if (before != EC_NONE)
        fprintf(x->file, ",%" PRIu64, id_of(x->w, before));
    else if (o)
        fputc(',', x->file);
    fputc('\n', x->file);
}

static bool open_ports(struct export *x)
{
    const size_t ports = (size_t)x->t->nodes * ec_router_locals(x->r, x->t);
    if (!x->order || x->order->overtake)
        return true;
    x->last = malloc(ports * sizeof *x->last);
    for (size_t p = 0; x->last && p < ports; p++)
        x->last[p] = EC_NONE;
    return x->last != NULL;
}

enum ec_code ec_messages_write(const struct ec_workload *w, const struct ec_topology *t,
                               const struct ec_router *r, const char *remark, const char *path,
                               const struct ec_unfinished *unfinished, struct ec_error *reterr)
{
    struct export x = {.w = w, .t = t, .r = r, .order = w->order, .cycles = !w->order};
    struct ec_output out;
    if (w->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       "workload '%s' is random traffic: expected a list of messages, without "
                       "rate=, to write as a trace",
                       w->text);
    for (size_t i = 0; i < w->message_count; i++)
        x.cycles = x.cycles || w->messages[i].cycle > 1;
    if (!open_ports(&x))
        return ec_fail(reterr, EC_MEMORY, "out of memory for a trace of %u nodes", t->nodes);
    enum ec_code code = ec_output_open(&out, "the trace", path, unfinished, reterr);
    if (code == EC_OK) {
        x.file = out.file;
        put_remark(x.file, remark);
        put_header(&x);
        for (size_t i = 0; i < w->message_count && ec_output_good(&out); i++)
            put_row(&x, i);
        code = ec_output_commit(&out, reterr);
    }
    free(x.last);
    return code;
}

/* --- The packets and the messages of a run --------------------------------------------------- */

struct ec_log {
    struct ec_output out;
    uint64_t rows;
};

/* `what`: for messages. */
static enum ec_code log_open(const char *what, const char *path,
                             const struct ec_unfinished *unfinished, struct ec_log **ret,
                             struct ec_error *reterr)
{
    struct ec_log *log = calloc(1, sizeof *log);
    if (!log)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %s", what);
    const enum ec_code code = ec_output_open(&log->out, what, path, unfinished, reterr);
    if (code == EC_OK)
        *ret = log;
    else
        free(log);
    return code;
}

/* One more row, which the caller writes. False: an earlier one was lost. */
static bool log_row(struct ec_log *log)
{
    if (log->out.error)
        return false;
    errno = 0;
    log->rows++;
    return true;
}

enum ec_code ec_log_finish(struct ec_log *log, uint64_t *ret_rows, struct ec_error *reterr)
{
    const enum ec_code code = ec_output_commit(&log->out, reterr);
    if (code == EC_OK)
        *ret_rows = log->rows;
    return code;
}

void ec_log_close(struct ec_log *log)
{
    if (!log)
        return;
    ec_output_discard(&log->out);
    free(log);
}

enum ec_code ec_packets_open(const char *path, const struct ec_unfinished *unfinished,
                             struct ec_log **ret, struct ec_error *reterr)
{
    const enum ec_code code = log_open("the packet log", path, unfinished, ret, reterr);
    if (code == EC_OK)
        fputs("src,dst,words,created,injected,delivered,hops,latency,network_latency,message,"
              "class\n",
              (*ret)->out.file);
    return code;
}

void ec_packets_take(void *context, const struct ec_delivery *d)
{
    struct ec_log *p = context;
    if (!log_row(p))
        return;
    fprintf(p->out.file,
            "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%" PRIu64
            ",%" PRIu64 ",",
            d->src, d->dst, d->words, d->created, d->injected, d->delivered, d->hops,
            d->delivered - d->created + 1, d->delivered - d->injected + 1);
    if (d->message != EC_NO_ID)
        fprintf(p->out.file, "%" PRIu64, d->message);
    fputc(',', p->out.file);
    if (d->class_ != EC_NONE)
        fprintf(p->out.file, "%" PRIu32, d->class_);
    fputc('\n', p->out.file);
    ec_output_good(&p->out);
}

enum ec_code ec_message_log_open(const char *remark, const char *path,
                                 const struct ec_unfinished *unfinished, struct ec_log **ret,
                                 struct ec_error *reterr)
{
    const enum ec_code code = log_open("the trace", path, unfinished, ret, reterr);
    if (code == EC_OK) {
        put_remark((*ret)->out.file, remark);
        fputs("cycle,source,destination,words\n", (*ret)->out.file);
    }
    return code;
}

void ec_message_log_take(void *context, const struct ec_message *m)
{
    struct ec_log *log = context;
    if (!log_row(log))
        return;
    fprintf(log->out.file, "%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", m->cycle, m->src,
            m->dst, m->words);
    ec_output_good(&log->out);
}
