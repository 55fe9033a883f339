// SPDX-License-Identifier: Apache-2.0
// Verilator's hooks for messages and stops, for traced shapes only. Knows no router and no network.
#include "ec_trace_runtime.h"

#include <cstdarg>
#include <cstdio>
#include <stdexcept>

#include "verilated.h"

namespace
{

// Verilator's hooks carry no pointer of ours, so the listener is the thread's.
thread_local const ec_trace_listener *listening = nullptr;

void tell(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '\n')
            *c = c[1] == '\0' ? '\0' : ' ';
    }
    if (listening != nullptr && text[0] != '\0')
        listening->line(listening->context, text);
}

} // namespace

const ec_trace_listener *ec_trace_listen(const ec_trace_listener *listener)
{
    const ec_trace_listener *before = listening;
    listening = listener;
    return before;
}

int ec_trace_printf(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    const int length = std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tell(text);
    return length;
}

// $error prints its message before it comes here: the message is the report.
void vl_stop(const char *, int, const char *) VL_MT_UNSAFE {}

void vl_finish(const char *file, int line, const char *) VL_MT_UNSAFE
{
    ec_trace_printf("%s:%d: $finish in the middle of a run, ignored", file, line);
}

// The simulator cannot go on (a combinational loop, for example). Caught at the border of the shim.
void vl_fatal(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE
{
    ec_trace_printf("%s:%d: %s", file, line, message);
    throw std::runtime_error(message);
}

void vl_warn(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE
{
    ec_trace_printf("%s:%d: %s", file, line, message);
}
