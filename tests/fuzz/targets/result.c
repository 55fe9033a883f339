/* SPDX-License-Identifier: Apache-2.0 */
/* Stored results for `ecube report` and `ecube sweep --from`: JSON that may be anything, and the
 * command in it. */
#include <unistd.h>

#include "fuzz.h"
#include "page/page.h"
#include "program/report/report.h"
#include "program/report/stored.h"
#include "program/sweep/output.h"

static void convert(void)
{
    struct ec_error e;
    FILE *csv;
    const enum ec_code code = sweep_stored_open("result.json", &csv, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK)
        fclose(csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cli_stored s;
    struct cli_replay r;
    struct ec_error e;
    fuzz_enter_folder();
    fuzz_write("result.json", data, size);
    enum ec_code code = cli_stored_read("result.json", &s, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK) {
        if (s.kind == CLI_STORED_RUN || s.kind == CLI_STORED_COMPARE) {
            code = cli_replay_open(&s, &r, &e);
            fuzz_check_error(code, &e);
            if (code == EC_OK) {
                if (r.job.output || r.job.events || r.job.wave || r.job.packets_csv ||
                    r.job.export_trace || r.job.report)
                    fuzz_fail("a stored command writes files");
                cli_replay_close(&r);
            }
        } else if (page_available(NULL) == EC_OK) {
            code = cli_page_stored(&s, "page.html", &e);
            fuzz_check_error(code, &e);
        }
        if (s.kind == CLI_STORED_SWEEP)
            convert();
        cli_stored_close(&s);
    }
    unlink("page.html");
    unlink("result.json");
    return 0;
}
