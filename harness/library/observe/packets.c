/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a row for each packet that arrives. Knows the columns; must not know the run. */
#include "ecube/events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/output.h"

struct ec_packets {
    struct ec_output out;
    uint64_t rows;
};

enum ec_code ec_packets_open(const char *path, const struct ec_unfinished *unfinished,
                             struct ec_packets **ret, struct ec_error *reterr)
{
    struct ec_packets *p = calloc(1, sizeof *p);
    if (!p)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a packet log");
    const enum ec_code code = ec_output_open(&p->out, "the packet log", path, unfinished, reterr);
    if (code != EC_OK) {
        free(p);
        return code;
    }
    fputs("src,dst,words,created,injected,delivered,hops,latency,network_latency,message,"
          "class\n",
          p->out.file);
    *ret = p;
    return EC_OK;
}

void ec_packets_take(void *context, const struct ec_delivery *d)
{
    struct ec_packets *p = context;
    if (p->out.error)
        return;
    errno = 0;
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
    p->rows++;
    ec_output_good(&p->out);
}

enum ec_code ec_packets_finish(struct ec_packets *p, uint64_t *ret_rows, struct ec_error *reterr)
{
    const enum ec_code code = ec_output_commit(&p->out, reterr);
    if (code == EC_OK)
        *ret_rows = p->rows;
    return code;
}

void ec_packets_close(struct ec_packets *p)
{
    if (!p)
        return;
    ec_output_discard(&p->out);
    free(p);
}
