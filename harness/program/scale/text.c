/* SPDX-License-Identifier: Apache-2.0 */
/* A prediction for people. Must not compute. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "program/scale/scale.h"

enum { FEW_ROUTERS = 8 }; /* of a part: the model has not been compared with so few */

/* A measured speed that differs from the predicted one by this factor is worth a sentence. */
#define DOUBTFUL 1.3

/* "4.2 kB", or "-" for 0 */
static const char *size_text(double bytes, char *buffer, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    if (bytes <= 0) {
        snprintf(buffer, size, "-");
        return buffer;
    }
    while (bytes >= 1000 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    snprintf(buffer, size, bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return buffer;
}

static void put_constants(const struct scale_result *r, FILE *out)
{
    const struct scale_measured *m = &r->measured;
    const struct scale_network *n = &r->kinds[0].network;
    const struct scale_machine *k = &m->machine;
    char bytes[32];
    fprintf(out,
            "  measured on this machine: a cycle %.0f ns, a router that is awake %.0f ns, a word "
            "%.0f ns\n",
            k->fixed * 1e9, k->router * 1e9, k->word * 1e9);
    for (size_t i = 1; i < k->size_count; i++) {
        size_text(m->router_bytes * k->size[i].routers, bytes, sizeof bytes);
        fprintf(out, "    %" PRIu32 " routers (%s): %.2f times as slow\n", k->size[i].routers,
                bytes, k->size[i].locality);
    }
    for (size_t i = 0; i < k->threads_count; i++) {
        const struct scale_threads *t = &k->threads[i];
        fprintf(
            out,
            "    %u threads: an exchange %.0f ns, a kilobyte %.0f ns, work %.2f times as slow\n",
            t->threads, t->latency * 1e9, t->byte * 1e12, t->slowdown);
    }
    if (k->estimated)
        fprintf(out, "    too noisy to tell a router from its words: their ratio is the usual one; "
                     "measure longer (--time)\n");
    if (m->busy)
        fprintf(out, "    other programs keep this machine busy: these costs are too high\n");
    fprintf(out, "  network between ranks: %.3g us latency, %.3g us a message, %.3g GB/s",
            n->latency * 1e6, n->message * 1e6, 1e-9 / n->byte);
    if (r->met)
        fprintf(out, ", measured between %" PRIu32, r->met);
    fputc('\n', out);
}

static void put_row(const struct scale_row *row, bool verify, FILE *out)
{
    const struct scale_point *p = &row->point;
    char bytes[32];
    fprintf(out,
            "  %5" PRIu32 " %7" PRIu32 " %9" PRIu32 " %8s  %9.2f %9.2f %9.2f %9.2f  %10.4g %8.2f "
            "%8.0f %%",
            row->cut.ranks, row->cut.threads, row->cut.most,
            size_text(row->bytes, bytes, sizeof bytes), p->work * 1e6, p->waiting * 1e6,
            p->swap * 1e6, p->network * 1e6, 1 / p->cycle, p->speedup, p->efficiency * 100);
    if (verify && row->verified > 0)
        fprintf(out, "  %10.4g  %10.2f", 1 / row->verified, scale_ratio(row));
    fputc('\n', out);
}

static void put_rows(const struct scale_result *r, FILE *out)
{
    const bool verify = r->job->verify;
    fprintf(out, "\n  %5s %7s %9s %8s  %9s %9s %9s %9s  %10s %8s %10s%s\n", "ranks", "threads",
            "routers", "memory", "work", "waiting", "swap", "network", "cycles/s", "speedup",
            "efficiency", verify ? "    measured    measured" : "");
    fprintf(out, "  %5s %7s %9s %8s  %9s %9s %9s %9s%s\n", "", "", "of a part", "of a rank", "us",
            "us", "us", "us",
            verify ? "                                    cycles/s   / predicted" : "");
    for (size_t i = 0; i < r->count; i++)
        put_row(&r->rows[i], verify, out);
    if (r->left_out > 0)
        fprintf(out, "  %zu split%s left out: more parts than nodes, or too many\n", r->left_out,
                r->left_out == 1 ? " is" : "s are");
}

static void put_split(const char *what, const struct scale_cut *cut, FILE *out)
{
    fprintf(out, "  %s %" PRIu32 " rank%s of %" PRIu32 " thread%s", what, cut->ranks,
            cut->ranks == 1 ? "" : "s", cut->threads, cut->threads == 1 ? "" : "s");
}

/* What makes predictions doubtful. */
static void put_doubts(const struct scale_result *r, FILE *out)
{
    const struct scale_row *worst = NULL;
    size_t small = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct scale_row *row = &r->rows[i];
        const double ratio = scale_ratio(row);
        small += row->cut.ranks * row->cut.threads > 1 && row->cut.most < FEW_ROUTERS;
        if (ratio > 0 && (!worst || fabs(log(ratio)) > fabs(log(scale_ratio(worst)))))
            worst = row;
    }
    if (small > 0)
        fprintf(out, "  %zu split%s parts of fewer than %d routers: there predictions are rough\n",
                small, small == 1 ? " has" : "s have", FEW_ROUTERS);
    if (worst && fabs(log(scale_ratio(worst))) > log(DOUBTFUL)) {
        put_split("prediction and measurement differ most for", &worst->cut, out);
        fprintf(out, ", by a factor of %.2f: repeat this %s\n", exp(fabs(log(scale_ratio(worst)))),
                r->measured.busy ? "on a machine without other programs" : "with more --time");
    }
}

static void put_best(const struct scale_result *r, FILE *out)
{
    const struct scale_row *row = &r->rows[r->best];
    put_split("best:", &row->cut, out);
    fprintf(out, ", %.4g cycles/s, %.2f times one part\n", 1 / row->point.cycle,
            row->point.speedup);
}

/* Which link delay makes which network worth how many ranks. */
static void put_delays(const struct scale_result *r, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < r->count; i++)
        any = any || r->rows[i].cut.ranks > 1;
    if (!any)
        return;
    fprintf(out, "\n  link delay from which the efficiency is %g %%:\n  %5s %7s",
            r->job->efficiency * 100, "ranks", "threads");
    for (size_t k = 0; k < SCALE_NETWORKS; k++)
        fprintf(out, "  %13s", r->kinds[k].name);
    fputc('\n', out);
    for (size_t i = 0; i < r->count; i++) {
        const struct scale_row *row = &r->rows[i];
        if (row->cut.ranks < 2)
            continue;
        fprintf(out, "  %5" PRIu32 " %7" PRIu32, row->cut.ranks, row->cut.threads);
        for (size_t k = 0; k < SCALE_NETWORKS; k++) {
            if (row->delay[k])
                fprintf(out, "  %13u", row->delay[k]);
            else
                fprintf(out, "  %13s", "-");
        }
        fputc('\n', out);
    }
    if (!r->measured.load.looks_ahead)
        fprintf(out, "  (messages wait for others, so parts meet in every cycle)\n");
}

void scale_text(const struct scale_result *r, const struct cli_style *style, bool brief, FILE *out)
{
    const struct scale_measured *m = &r->measured;
    fprintf(out, "%s%s %s%s  %" PRIu32 " routers of %u ports, %.0f awake, %.0f words a cycle\n",
            cli_paint(style, CLI_STRONG), r->c->topology_text, r->c->workload->text,
            cli_unpaint(style), m->load.nodes, m->ports, m->load.awake, m->load.words);
    if (!brief) {
        put_constants(r, out);
        put_rows(r, out);
        put_doubts(r, out);
    }
    put_best(r, out);
    if (!brief)
        put_delays(r, out);
}
