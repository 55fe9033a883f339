/* SPDX-License-Identifier: Apache-2.0 */
/* For c.sh: worker processes end by _exit(), which would lose what they counted. Linked in the
 * place of _exit() by -Wl,--wrap. Under tests/chaos/shim/alloc.c the memory for writing what was
 * counted must not fail. */
#include <dlfcn.h>
#include <stdlib.h>

void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

static void end_chaos(void)
{
    void (*const end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "chaos_end");
    if (end != NULL)
        end();
}

__attribute__((constructor)) static void begin(void)
{
    atexit(end_chaos);
}

void __wrap__exit(int status)
{
    end_chaos();
    __gcov_dump();
    __real__exit(status);
}
