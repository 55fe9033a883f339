// SPDX-License-Identifier: Apache-2.0
// What the Verilator runtime of shapes does differently: it prints nothing and never ends the
// process. Every message goes to the listener of the thread.
//
// Forced into every file of the runtime and of the shapes (-include), so that Verilator's own hooks
// (VL_PRINTF, VL_USER_STOP, ...) find it.
#ifndef EC_RUNTIME_H
#define EC_RUNTIME_H

struct ec_runtime_listener {
    // `event` is an enum ec_rtl_event of ecube/tile.h; `text` is one line without its end.
    void (*said)(void *context, int event, const char *text);
    void *context;
    // A text is held back, because the next call may tell that it is an error: see
    // ec_runtime_flush().
    bool holds;
};

// Thrown by vl_fatal: the simulator cannot go on, and has said so.
struct ec_runtime_fatal {
};

// The listener of this thread from now on; nullptr: messages are dropped. Borrowed until the next
// call.
void ec_runtime_listen(ec_runtime_listener *listener);

// Pass on what is held back.
void ec_runtime_flush();

// The errno of the first thing that the writer of dumps could not write since the last call, in
// this thread; 0: nothing is lost. In the runtime of traced shapes only.
int ec_trace_lost();

// Verilator's printf.
int ec_runtime_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

// What RTL writes to the process's own standard output or error ($fwrite) is a text like any other:
// true if it was. Called in the place of fwrite (EC_LINK_FLAGS of the runtime).
bool ec_runtime_wrote(const void *data, unsigned long size, const void *file);

#define VL_PRINTF ec_runtime_printf

#endif
