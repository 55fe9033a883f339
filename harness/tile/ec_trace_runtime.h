// SPDX-License-Identifier: Apache-2.0
// What the runtime of traced shapes does differently: nothing is printed and nothing ends the
// process; every message goes to whoever listens in this thread.
//
// Forced into every file of that runtime and its tiles (-include), so that Verilator's own hooks
// (VL_PRINTF, VL_USER_STOP, ...) find it.
#ifndef EC_TRACE_RUNTIME_H
#define EC_TRACE_RUNTIME_H

struct ec_trace_listener {
    void (*line)(void *context, const char *text); // one message, without its line end
    void *context;
};

// The listener of this thread; nullptr: messages are dropped. Returns the one before.
const ec_trace_listener *ec_trace_listen(const ec_trace_listener *listener);

// The errno of the first thing that the writer of dumps could not write since the last call, in
// this thread; 0: nothing is lost.
int ec_trace_lost();

// Verilator's printf.
int ec_trace_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define VL_PRINTF ec_trace_printf

#endif
