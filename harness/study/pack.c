/* SPDX-License-Identifier: Apache-2.0 */
/* A finding on its way between processes. Knows its parts, and nothing of how they came about. */
#include <stdio.h>
#include <string.h>

#include "study/claims.h"

json_t *claims_finding_pack(const struct claims_finding *f)
{
    return json_pack("{s:i, s:b, s:I, s:s, s:s, s:s, s:s, s:s, s:f, s:O?, s:O?}", "verdict",
                     (int)f->verdict, "as_expected", (int)f->as_expected, "cases",
                     (json_int_t)f->cases, "predicted", f->predicted, "audited", f->audited,
                     "measured", f->measured, "note", f->note, "counterexample", f->counterexample,
                     "seconds", f->seconds, "commands", f->commands, "table", f->table);
}

bool claims_finding_unpack(json_t *packed, const struct claims_row *row, struct claims_finding *ret)
{
    struct claims_finding f = {.row = row};
    const char *predicted, *audited, *measured, *note, *counterexample;
    json_t *commands, *table;
    int verdict, as_expected;
    json_int_t cases;
    if (json_unpack(packed, "{s:i, s:b, s:I, s:s, s:s, s:s, s:s, s:s, s:F, s:o, s:o}", "verdict",
                    &verdict, "as_expected", &as_expected, "cases", &cases, "predicted", &predicted,
                    "audited", &audited, "measured", &measured, "note", &note, "counterexample",
                    &counterexample, "seconds", &f.seconds, "commands", &commands, "table",
                    &table) != 0 ||
        verdict < 0 || verdict >= CLAIMS_VERDICT_COUNT)
        return false;
    f.verdict = (enum claims_verdict)verdict;
    f.as_expected = as_expected != 0;
    f.cases = (uint64_t)cases;
    snprintf(f.predicted, sizeof f.predicted, "%s", predicted);
    snprintf(f.audited, sizeof f.audited, "%s", audited);
    snprintf(f.measured, sizeof f.measured, "%s", measured);
    snprintf(f.note, sizeof f.note, "%s", note);
    snprintf(f.counterexample, sizeof f.counterexample, "%s", counterexample);
    f.commands = json_incref(commands);
    f.table = json_is_null(table) ? NULL : json_incref(table);
    *ret = f;
    return true;
}
