/* SPDX-License-Identifier: Apache-2.0 */
/* Slices, numbers, nearest words, errors. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void numbers_are_digits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t max;
        bool good;
        uint64_t value;
    } cases[] = {
        {"0", 0, true, 0},
        {"7", 7, true, 7},
        {"8", 7, false, 0},
        {"007", 7, true, 7},
        {"18446744073709551615", UINT64_MAX, true, UINT64_MAX},
        {"18446744073709551616", UINT64_MAX, false, 0},
        {"99999999999999999999999", UINT64_MAX, false, 0},
        {"", 9, false, 0},
        {"-1", 9, false, 0},
        {"+1", 9, false, 0},
        {" 1", 9, false, 0},
        {"1 ", 9, false, 0},
        {"0x1", 9, false, 0},
        {"1e0", 9, false, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t value = 0;
        bool good = ec_slice_number(ec_slice_of(cases[i].text), cases[i].max, &value);
        if (good != cases[i].good || value != cases[i].value)
            fail_msg("'%s' gave %d, %llu", cases[i].text, good, (unsigned long long)value);
    }
}

static void fractions_are_plain(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        double value;
    } cases[] = {
        {"0.25", true, 0.25}, {".5", true, 0.5},   {"1", true, 1},     {"1e-3", true, 1e-3},
        {"-0.1", false, 0},   {"+0.1", false, 0},  {"nan", false, 0},  {"inf", false, 0},
        {"0x1p3", false, 0},  {" 0.1", false, 0},  {"0.1x", false, 0}, {"", false, 0},
        {"1e999", false, 0},  {"0.1.2", false, 0}, {"1e", false, 0},   {".", false, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        double value = 0;
        bool good = ec_slice_fraction(ec_slice_of(cases[i].text), &value);
        if (good != cases[i].good || value < cases[i].value || value > cases[i].value)
            fail_msg("'%s' gave %d, %g", cases[i].text, good, value);
    }
}

static void taking_slices_apart_loses_nothing(void **state)
{
    (void)state;
    struct ec_slice rest = ec_slice_of("a,,bc,"), part;
    static const char *const parts[] = {"a", "", "bc", ""};

    for (size_t i = 0; i < COUNT(parts); i++) {
        assert_true(ec_slice_take(&rest, ',', &part));
        assert_true(ec_slice_is(part, parts[i]));
    }
    assert_false(ec_slice_take(&rest, ',', &part));
}

static void nearest_word_is_proposed(void **state)
{
    (void)state;
    static const char *const names[] = {"ring", "mesh", "torus", "cube", "store-and-forward", NULL};
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        {"tours", "torus"}, {"TORUS", "torus"}, {"cub", "cube"},
        {"cbue", "cube"},   {"rings", "ring"},  {"store-forward", "store-and-forward"},
        {"", NULL},         {"banana", NULL},   {"x", NULL},
    };
    char hint[64];

    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *got = ec_nearest(cases[i].word, strlen(cases[i].word), names);
        if (cases[i].nearest ? !got || strcmp(got, cases[i].nearest) != 0 : got != NULL)
            fail_msg("'%s' gave '%s'", cases[i].word, got ? got : "nothing");
    }
    assert_string_equal(ec_nearest_hint("cub", 3, names, hint, sizeof hint),
                        "; did you mean 'cube'?");
    assert_string_equal(ec_nearest_hint("banana", 6, names, hint, sizeof hint), "");
}

static void nearest_word_stands_long_input(void **state)
{
    (void)state;
    static const char *const names[] = {"cube", NULL};
    char word[5000];

    memset(word, 'c', sizeof word);
    assert_null(ec_nearest(word, sizeof word, names));
}

static void messages_stay_one_line(void **state)
{
    (void)state;
    struct ec_error error;
    char word[3000];

    assert_int_equal(ec_fail(&error, EC_USAGE, "bad '%s'", "a\nb\x1b[31m\tc"), EC_USAGE);
    assert_string_equal(error.message, "bad 'a?b?[31m?c'");
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    ec_fail(&error, EC_IO, "%s", word);
    assert_int_equal(error.code, EC_IO);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(ec_fail(NULL, EC_MEMORY, "nobody listens"), EC_MEMORY);
}

static void text_is_appended_and_cut(void **state)
{
    (void)state;
    char buffer[8] = "";

    ec_append(buffer, sizeof buffer, "%s%u", "ab", 12U);
    assert_string_equal(buffer, "ab12");
    ec_append(buffer, sizeof buffer, "%s", "cdef");
    assert_string_equal(buffer, "ab12cde");
    ec_append(buffer, sizeof buffer, "g");
    assert_string_equal(buffer, "ab12cde");
}

static void markup_is_escaped(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    ec_put_markup("a<b>&\"\xc3\n", false, out);
    ec_put_markup("a\xc3\n", true, out);
    fclose(out);
    assert_string_equal(text, "a&lt;b&gt;&amp;&quot;\xc3\na??");
    free(text);
}

static void every_code_has_a_text(void **state)
{
    (void)state;
#define CHECK(name, text) assert_string_equal(ec_code_text(EC_##name), text);
    EC_ERRORS(CHECK)
    assert_non_null(ec_code_text((enum ec_code)1000));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("a number is decimal digits within its bound, nothing else", numbers_are_digits),
        TEST("a fraction has no sign, no blanks and no exotic forms", fractions_are_plain),
        TEST("taking a slice apart returns every part, empty ones too",
             taking_slices_apart_loses_nothing),
        TEST("a misspelt word gets the nearest valid one, another word gets none",
             nearest_word_is_proposed),
        TEST("a very long word is not a misspelling and does no harm",
             nearest_word_stands_long_input),
        TEST("an error message is one line whatever it quotes", messages_stay_one_line),
        TEST("what is appended to a text is cut where its buffer ends", text_is_appended_and_cut),
        TEST("text becomes markup, in ASCII on request", markup_is_escaped),
        TEST("every error code has its text", every_code_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
