/* SPDX-License-Identifier: Apache-2.0 */
/* Where words belong that users look for elsewhere. Knows names only; must not know what they mean.
 * A test tries every row (tests/cli/test_hints.sh). */
#include "base/hints.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const struct ec_hint_place ec_hint_places[] = {
    {"vcs", "router", "--router vcs=@"},
    {"vc", "router", "--router vcs=@"},
    {"virtual-channels", "router", "--router vcs=@"},
    {"depth", "router", "--router depth=@"},
    {"buffer", "router", "--router depth=@"},
    {"buffers", "router", "--router depth=@"},
    {"buffer-depth", "router", "--router depth=@"},
    {"switching", "router", "--router switching=@"},
    {"order", "router", "--router order=@"},
    {"ports", "router", "--router ports=@"},
    {"dateline", "router", "--router dateline=@"},
    {"datelines", "router", "--router dateline=@"},
    {"va", "router", "--router va=@"},
    {"allocation", "router", "--router va=@"},
    {"stages", "router", "--router stages=@"},
    {"pipeline", "router", "--router stages=@"},
    {"link", "router", "--router link=@"},
    {"link-delay", "router", "--router link=@"},
    {"rate", "workload", "uniform:rate=@,m=8"},
    {"load", "workload", "uniform:rate=@,m=8"},
    {"injection-rate", "workload", "uniform:rate=@,m=8"},
    {"m", "workload", "shift:q=1,m=@"},
    {"length", "workload", "shift:q=1,m=@"},
    {"message", "workload", "shift:q=1,m=@"},
    {"words", "workload", "shift:q=1,m=@"},
    {"q", "workload", "shift:q=@"},
    {"distance", "workload", "shift:q=@"},
    {"labels", "workload", "shift:q=1,labels=@"},
    {"k", "workload", "kshuffle:k=@"},
    {"K", "workload", "bitrev:K=@"},
    {"elements", "workload", "bitrev:K=@"},
    {"sub", "workload", "bitrev:sub=@"},
    {"node", "workload", "hotspot:node=@"},
    {"share", "workload", "hotspot:rate=0.1,share=@"},
    {"file", "workload", "trace:file=@"},
    {"trace", "workload", "trace:file=@"},
    {"packet", NULL, "--packet @"},
    {"packet-size", NULL, "--packet @"},
    {"seed", NULL, "--seed @"},
    {"startup", NULL, "--startup @"},
    {"cycles", NULL, "--cycles @"},
    {"window", NULL, "--cycles @"},
    {"warmup", NULL, "--warmup @"},
    {"algorithm", NULL, "--algorithm @"},
    {"schedule", NULL, "--algorithm @"},
    {"sync", NULL, "--sync @"},
    {"stall", NULL, "--eject-stall @"},
    {"eject-stall", NULL, "--eject-stall @"},
    {"backend", NULL, "--backend @"},
    {"cores", NULL, "--threads @"},
    {"cpus", NULL, "--threads @"},
    {"nthreads", NULL, "--threads @"},
    {"json", NULL, "--format json"},
    {"csv", NULL, "--format csv"},
    {NULL, NULL, NULL},
};

const struct ec_hint_place *ec_hint_find(const char *here, struct ec_slice word)
{
    for (const struct ec_hint_place *p = ec_hint_places; p->word; p++) {
        const bool own = here && p->grammar && strcmp(here, p->grammar) == 0;
        if (!own && ec_slice_is(word, p->word))
            return p;
    }
    return NULL;
}

const char *ec_hint_place(const struct ec_hint_place *place, struct ec_slice value, char *buffer,
                          size_t size)
{
    const char *gap = place ? strchr(place->form, '@') : NULL;
    if (!value.at || !value.length)
        value = ec_slice_of("...");
    if (!place)
        buffer[0] = '\0';
    else
        snprintf(buffer, size, "; did you mean %s'%.*s%.*s%s'?",
                 strncmp(place->form, "--", 2) == 0 ? "" : "a key of the workload, as in ",
                 (int)(gap ? gap - place->form : (ptrdiff_t)strlen(place->form)), place->form,
                 gap ? (int)(value.length < 100 ? value.length : 100) : 0, value.at,
                 gap ? gap + 1 : "");
    return buffer;
}

const char *ec_hint_join(const char *first, const char *second, char *buffer, size_t size)
{
    const bool pair =
        isalpha((unsigned char)*second) && strchr(second, '=') && !strchr(second, ':');
    const bool name = isalpha((unsigned char)*first) && !strpbrk(first, ":=");
    char separator = '\0';
    if (name && (pair || isdigit((unsigned char)*second)))
        separator = ':';
    else if (pair && strchr(first, '='))
        separator = ',';
    if (separator)
        snprintf(buffer, size, "; did you mean '%.60s%c%.60s'?", first, separator, second);
    else
        buffer[0] = '\0';
    return buffer;
}
