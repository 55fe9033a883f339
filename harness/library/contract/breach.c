/* SPDX-License-Identifier: Apache-2.0 */
/* Breaches of the rules: keeps the first one, and puts places, words and kinds in words. Must not
 * know what the rules are. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "contract/account.h"
#include "network/names.h"

void rules_note(struct rules *rules, struct rules_breach at, const char *format, ...)
{
    if (rules->found && rules->breach.cycle <= at.cycle)
        return;
    rules->found = true;
    rules->breach = at;
    va_list args;
    va_start(args, format);
    vsnprintf(rules->breach.what, sizeof rules->breach.what, format, args);
    va_end(args);
}

struct rules_name rules_word_name(const struct rules *rules, uint64_t word)
{
    struct rules_name ret;
    char name[EC_NAME_SIZE];
    ec_word_name(rules->t, &rules->shadow.layout, word, name, sizeof name);
    snprintf(ret.text, sizeof ret.text, "%s%s%.60s", ec_word_head(word) ? "head " : "",
             ec_word_tail(word) ? "tail " : "", name);
    return ret;
}

struct rules_name rules_port_name(const struct rules *rules, unsigned port)
{
    struct rules_name ret;
    char name[EC_NAME_SIZE];
    ec_port_name(rules->t, rules->shadow.locals, port, name, sizeof name);
    snprintf(ret.text, sizeof ret.text, "%.80s", name);
    return ret;
}

struct rules_name rules_vc_name(const struct rules *rules, unsigned port, unsigned vc)
{
    struct rules_name ret = rules_port_name(rules, port);
    if (rules->vcs > 1)
        ec_append(ret.text, sizeof ret.text, " VC %u", vc);
    return ret;
}

struct rules_name rules_vcs_name(unsigned vcs)
{
    struct rules_name ret = {""};
    for (; vcs; vcs &= vcs - 1)
        ec_append(ret.text, sizeof ret.text, "%sVC %d", *ret.text ? " or " : "",
                  __builtin_ctz(vcs));
    return ret;
}

struct rules_name rules_when(const char *event, const char *never, uint64_t cycle)
{
    struct rules_name ret;
    if (cycle)
        snprintf(ret.text, sizeof ret.text, "%s in cycle %" PRIu64, event, cycle);
    else
        snprintf(ret.text, sizeof ret.text, "%s", never);
    return ret;
}

struct rules_name rules_credit_name(const struct rules_output *out)
{
    return rules_when("the last one came back", "no credit has come back yet", out->credit_at);
}

void rules_text(const struct rules *rules, const struct rules_breach *b, char *buffer, size_t size)
{
    char router[EC_NAME_SIZE];
    ec_topology_node_name(rules->t, b->node, router, sizeof router);
    snprintf(buffer, size, "cycle %" PRIu64 ", router %s, %s %s: %s", b->cycle, router,
             b->input ? "input" : "output", rules_vc_name(rules, b->port, b->vc).text, b->what);
}

bool rules_conserves(enum rules_kind kind)
{
    return kind == RULES_VC || kind == RULES_ORDER || kind == RULES_TOO_EARLY || kind == RULES_TAP;
}

bool rules_about_credits(enum rules_kind kind)
{
    return kind == RULES_HELD_BACK || kind == RULES_NO_CREDIT || kind == RULES_CREDIT_MISSING ||
           kind == RULES_CREDIT_TWICE;
}
