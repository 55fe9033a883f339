/* SPDX-License-Identifier: Apache-2.0 */
/* Stored sweeps: CSV that may be anything, as curves, and the script that plots them. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"
#include "program/sweep/script.h"
#include "program/sweep/stored.h"

static void plot(const struct sweep *s)
{
    char *text = NULL;
    size_t size;
    for (unsigned format = 0; format < PLOT_FORMATS; format++) {
        FILE *out = open_memstream(&text, &size);
        if (!out)
            exit(1);
        sweep_plot_script(s, (enum plot_format)format, NULL, "plot", out);
        fclose(out);
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep s = {0};
    struct ec_error e;
    fuzz_enter_folder();
    fuzz_write("sweep.csv", data, size);
    enum ec_code code = sweep_stored_read("sweep.csv", &s, NULL, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK) /* the same file again: other labels */
        code = sweep_stored_read("sweep.csv", &s, NULL, &e);
    if (code == EC_OK) {
        plot(&s);
        code = sweep_stored_label(&s, &e);
        fuzz_check_error(code, &e);
    }
    if (code == EC_OK)
        plot(&s);
    sweep_free(&s);
    unlink("sweep.csv");
    return 0;
}
