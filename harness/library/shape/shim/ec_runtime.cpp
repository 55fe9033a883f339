// SPDX-License-Identifier: Apache-2.0
// Verilator's hooks for messages and for the end of a simulation. Knows no router and no network.
//
// $error and $fatal print their text first and call vl_stop() then, $display only prints. So a text
// is held back until the next call shows what it was.
#include "ec_runtime.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

extern "C" {
#include "ecube/tile.h"
}
#include "verilated.h"

namespace
{

// Verilator's hooks carry no pointer of ours, so the listener is the thread's.
thread_local ec_runtime_listener *listening = nullptr;
thread_local char held[1024] = "";

// One line of what was printed, without the time that no context keeps ("[0] %Error: ...").
char *as_line(char *text)
{
    char *end = text + std::strlen(text);
    while (end > text && end[-1] == '\n')
        *--end = '\0';
    for (char *c = text; *c != '\0'; c++) {
        if (static_cast<unsigned char>(*c) < ' ')
            *c = ' ';
    }
    return std::strncmp(text, "[0] ", 4) == 0 ? text + 4 : text;
}

void say(int event, char *text)
{
    if (listening != nullptr)
        listening->said(listening->context, event, as_line(text));
}

void say_at(int event, const char *file, int line, const char *what)
{
    char text[1024];
    std::snprintf(text, sizeof text, "%s%s%d: %s", file, file[0] != '\0' ? ":" : "line ", line,
                  what);
    ec_runtime_flush();
    say(event, text);
}

} // namespace

void ec_runtime_listen(ec_runtime_listener *listener)
{
    listening = listener;
}

void ec_runtime_flush()
{
    if (held[0] != '\0')
        say(EC_RTL_TEXT, held);
    held[0] = '\0';
    if (listening != nullptr)
        listening->holds = false;
}

int ec_runtime_printf(const char *format, ...)
{
    if (listening == nullptr)
        return 0;
    std::size_t used = std::strlen(held);
    if (used > 0 && held[used - 1] == '\n') {
        ec_runtime_flush();
        used = 0;
    }
    va_list args;
    va_start(args, format);
    const int length = std::vsnprintf(held + used, sizeof held - used, format, args);
    va_end(args);
    listening->holds = true;
    return length;
}

bool ec_runtime_wrote(const void *data, unsigned long size, const void *file)
{
    if (file != stdout && file != stderr)
        return false;
    ec_runtime_printf("%.*s", static_cast<int>(size < sizeof held ? size : sizeof held),
                      static_cast<const char *>(data));
    return true;
}

#if !EC_SHAPE_TRACED // else that of ec_trace_files.cpp
extern "C" {
size_t __real_fwrite(const void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file);
}

size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file)
{
    return ec_runtime_wrote(data, size * count, file) ? count
                                                      : __real_fwrite(data, size, count, file);
}
#endif

// Not all versions of Verilator tell $fatal and $stop from $error.
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE
{
    if (held[0] == '\0') {
        say_at(EC_RTL_ERROR, file, line, "$stop");
        return;
    }
    say(EC_RTL_ERROR, held);
    held[0] = '\0';
    ec_runtime_flush();
}

void vl_finish(const char *file, int line, const char *) VL_MT_UNSAFE
{
    say_at(EC_RTL_FINISH, file, line, "$finish");
}

// The simulator cannot go on. Caught at the border of the shim.
void vl_fatal(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE
{
    say_at(EC_RTL_BROKEN, file, line, message);
    throw ec_runtime_fatal{};
}

void vl_warn(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE
{
    say_at(std::strstr(message, "file not found") != nullptr ? EC_RTL_ERROR : EC_RTL_TEXT, file,
           line, message);
}
