/* SPDX-License-Identifier: Apache-2.0 */
/* A recorder: what happened on every channel over the time of a run, and the paths of packets, in
 * bounded memory.
 *
 * It is a watcher (ec_net_watch) that counts in bins of time. When all bins are used, neighbours
 * merge and the width of a bin doubles. If channels times bins exceed the bound, the channels with
 * the least waiting are dropped while the run goes on, and a grid keeps the sums of regions.
 *
 *   ec_recorder_open(&topology, &router, NULL, &recorder, &e);
 *   run_options.watches = ...ec_recorder_watch(recorder)...;
 *   run_options.offer = ec_recorder_offer, run_options.offer_context = recorder;
 *   ec_run(...);
 *   ec_recorder_finish(recorder, &recording, &e);
 *   ec_recorder_close(recorder); */
#pragma once

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/topology.h"

/* Bounds of a recording; 0: default. */
struct ec_recorder_options {
    size_t cells;   /* of all series and the grid together; default 2000000 */
    size_t packets; /* with their paths; default 20000 */
    size_t hops;    /* of all these paths together; default 300000 */
    size_t memory; /* bins of channels that are counted at a time, 16 bytes each, if the channels do
                      not fit the cells; default 8388608 */
};

/* Per channel and bin. */
enum ec_recorded {
    EC_RECORDED_FLITS,     /* words that entered the channel */
    EC_RECORDED_CONTENDED, /* front flits, summed over cycles, that wanted the channel and lost to
                              another packet; 0 without taps and on injection channels */
    EC_RECORDED_STARVED,   /* the same, waiting for any other reason */
    EC_RECORDED_BUFFERED,  /* words in the input buffer that the channel feeds, all VCs: the mean of
                              the bin times EC_RECORDED_SCALE; 0 on ejection channels */
    EC_RECORDED_SERIES,
};
#define EC_RECORDED_SCALE 16

/* Ports: links, then injection by each local port, then ejection by each. */
struct ec_recorded_channel {
    uint32_t node;
    unsigned port;
};

struct ec_recorded_packet {
    uint32_t src, dst, words;
    uint64_t created, injected, delivered; /* cycles, as in ec_packet_log; delivered may be: */
#define EC_RECORDED_NEVER UINT64_MAX       /* in the network at the end */
    size_t hop;                            /* of its path, in the arrays below */
    size_t hops;
};

/* All channels of the network in one bin. */
struct ec_recorded_sums {
    uint64_t flits, contended, starved; /* flits: of links */
    uint64_t injected, ejected;         /* words */
    double buffered;                    /* words in all input buffers, mean */
};

#define EC_RECORDED_LATENCIES 128

/* All arrays are owned by the recorder. */
struct ec_recording {
    uint64_t first, last; /* cycles; bin k has those from first + k * width on */
    uint64_t width;       /* a power of two */
    size_t bins;

    size_t all_channels; /* of the network */
    size_t channels;     /* recorded: all, or those with the most waiting, then words */
    struct ec_recorded_channel *channel;   /* ascending */
    uint32_t *series[EC_RECORDED_SERIES];  /* [bin * channels + channel] */
    uint64_t *total[EC_RECORDED_BUFFERED]; /* [channel] over the run */
    size_t missed; /* channels dropped during the run that would be among those recorded, judged by
                      the whole run */

    /* [bin] sums over all channels of the network. */
    struct ec_recorded_sums *sums;

    /* A flat projection: node x is at across = the mixed-radix number of its even coordinates, down
     * = of its odd ones; cell (across / step_across, down / step_down). None in small networks
     * (grid_width 0). */
    size_t grid_width, grid_height;
    uint32_t step_across, step_down;
    uint32_t *grid[EC_RECORDED_SERIES]; /* [(bin * grid_height + y) * grid_width + x] sums over the
                                           links that leave the nodes; BUFFERED: in the routers */

    /* Latencies of all packets delivered, creation to tail: [k] from k * width to (k + 1) * width -
     * 1 cycles. */
    uint64_t latency[EC_RECORDED_LATENCIES];
    uint64_t latency_width; /* a power of two */

    uint64_t all_packets; /* delivered, and those in the network at the end */
    size_t packets;       /* kept, in order of delivery: the slowest, an even sample, and the oldest
                             of those in the network at the end */
    struct ec_recorded_packet *packet;
    uint8_t *hop_port;   /* [hop] link taken */
    uint64_t *hop_cycle; /* [hop] cycle in which the head was on it */
};

struct ec_recorder;

/* Borrows t and r. EC_MEMORY. */
enum ec_code ec_recorder_open(const struct ec_topology *t, const struct ec_router *r,
                              const struct ec_recorder_options *options, struct ec_recorder **ret,
                              struct ec_error *reterr);
const struct ec_net_watch *ec_recorder_watch(struct ec_recorder *recorder);
/* For ec_run_options.offer; its context is the recorder. */
void ec_recorder_offer(void *context, const struct ec_offer *offer);
/* After the run, once. The recording belongs to the recorder. EC_MEMORY: it is not complete. */
enum ec_code ec_recorder_finish(struct ec_recorder *recorder, const struct ec_recording **ret,
                                struct ec_error *reterr);
void ec_recorder_close(struct ec_recorder *recorder); /* accepts NULL */
