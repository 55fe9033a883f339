/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of workloads, NAME[:KEY=VALUE,...]: which workload, which keys. Knows the table of
 * workloads; must not know what values mean. */
#include "workload/words.h"

#include <stdio.h>

#include "base/nearest.h"

/* The keys that a workload takes, "q, labels, rate, m". */
static const char *list_keys(unsigned keys, char *buffer, size_t size)
{
    size_t used = 0;

    buffer[0] = '\0';
    for (int k = 0; k < EC_KEY_COUNT && used < size; k++) {
        if (keys >> k & 1)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? ", " : "",
                                     ec_workload_keys[k]);
    }
    return buffer;
}

static enum ec_code take_key(struct ec_workload_words *w, struct ec_slice option,
                             struct ec_error *reterr)
{
    const struct ec_workload_traits *traits = ec_workload_traits(w->id);
    const char *name = ec_workload_list()[w->id].name;
    char hint[64], list[80];
    struct ec_slice value = option, key = {0};
    int k = 0;

    ec_slice_take(&value, '=', &key);
    while (k < EC_KEY_COUNT && !ec_slice_is(key, ec_workload_keys[k]))
        k++;
    if (k == EC_KEY_COUNT)
        return ec_fail(reterr, EC_USAGE, EC_IN_WORKLOAD "no key is called '%.*s'%s (%s takes %s)",
                       w->text, EC_SHOWN(key),
                       ec_nearest_hint(key.at, key.length, ec_workload_keys, hint, sizeof hint),
                       name, list_keys(traits->keys, list, sizeof list));
    if (!(traits->keys >> k & 1))
        return ec_fail(reterr, EC_USAGE, EC_IN_WORKLOAD "%s has no '%s' (it takes %s)", w->text,
                       name, ec_workload_keys[k], list_keys(traits->keys, list, sizeof list));
    if (!value.at || value.length == 0)
        return ec_fail(reterr, EC_USAGE, EC_IN_WORKLOAD "'%.*s' has no value (%s=...)", w->text,
                       EC_SHOWN(option), ec_workload_keys[k]);
    if (w->given >> k & 1)
        return ec_fail(reterr, EC_USAGE, EC_IN_WORKLOAD "'%s' is given twice", w->text,
                       ec_workload_keys[k]);
    w->given |= 1U << k;
    w->values[k] = value;
    return EC_OK;
}

static enum ec_code take_apart(struct ec_workload_words *w, struct ec_error *reterr)
{
    struct ec_slice rest = ec_slice_of(w->text), name, option;
    char hint[64];

    if (!ec_slice_take(&rest, ':', &name) || name.length == 0)
        return ec_fail(reterr, EC_USAGE, EC_IN_WORKLOAD "no name (NAME[:KEY=VALUE,...])", w->text);
    w->id = ec_workload_find(name);
    if (w->id == EC_WORKLOAD_COUNT)
        return ec_fail(reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "no workload is called '%.*s'%s (`ecube list workloads` names all)",
                       w->text, EC_SHOWN(name), ec_workload_hint(name, hint, sizeof hint));
    while (ec_slice_take(&rest, ',', &option)) {
        enum ec_code code = take_key(w, option, reterr);
        if (code)
            return code;
    }
    unsigned missing = ec_workload_traits(w->id)->needed & ~w->given;
    if (missing) {
        const char *key = ec_workload_keys[__builtin_ctz(missing)];
        return ec_fail(reterr, EC_USAGE, EC_IN_WORKLOAD "%s needs %s=...%s", w->text,
                       ec_workload_list()[w->id].name, key,
                       missing >> EC_KEY_RATE & 1 ? " (flits/node/cycle, for example rate=0.1)"
                                                  : "");
    }
    return EC_OK;
}

enum ec_code ec_workload_words(const char *text, struct ec_workload_words *ret,
                               struct ec_error *reterr)
{
    struct ec_workload_words w = {.text = text};
    const enum ec_code code = take_apart(&w, reterr);
    if (code == EC_OK)
        *ret = w;
    return code;
}
