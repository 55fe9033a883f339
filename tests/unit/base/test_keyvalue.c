/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar KEY=VALUE,...: accepted forms, and the wording of errors. */
#include "base/keyvalue.h"

#include "unit.h"

enum { COUNT_KEY, MODE_KEY, NAME_KEY, OTHER_KEY, TITLE_KEY, KEYS };

static const char *const modes[] = {"fast", "slow", NULL};

static const struct ec_key keys[] = {
    [COUNT_KEY] = {"count", EC_VALUE_NUMBER, 1, 8},
    [MODE_KEY] = {"mode", EC_VALUE_CHOICE, .choices = modes},
    [NAME_KEY] = {"name", EC_VALUE_TEXT, .expected = "a name"},
    [OTHER_KEY] = {"other", EC_VALUE_FRACTION, .most = 2},
    [TITLE_KEY] = {"title", EC_VALUE_TEXT},
};

static const struct ec_grammar grammar = {
    .what = "thing", .name = "box", .keys = keys, .count = KEYS, .taken = 0x7};

static void keys_are_found_in_any_order(void **state)
{
    (void)state;
    struct ec_slice values[KEYS];
    uint64_t number = 0;

    assert_int_equal(ec_keyvalue_split(&grammar, ec_slice_of("mode=slow,count=8"), values, NULL),
                     EC_OK);
    assert_null(values[NAME_KEY].at);
    assert_int_equal(ec_keyvalue_read(&grammar, &keys[COUNT_KEY], values[COUNT_KEY], &number, NULL),
                     EC_OK);
    assert_int_equal(number, 8);
    assert_int_equal(ec_keyvalue_read(&grammar, &keys[MODE_KEY], values[MODE_KEY], &number, NULL),
                     EC_OK);
    assert_int_equal(number, 1);
    assert_int_equal(ec_keyvalue_split(&grammar, (struct ec_slice){NULL, 0}, values, NULL), EC_OK);
    assert_null(values[MODE_KEY].at);
}

static void bad_keys_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "thing box: unknown key '': expected count, mode or name"},
        {"count=1,", "thing box: unknown key '': expected count, mode or name"},
        {"cuont=1", "thing box: unknown key 'cuont': expected count, mode or name; did you "
                    "mean 'count'?"},
        {"other=1", "thing box: unknown key 'other': expected count, mode or name"},
        {"vcs=1", "thing box: unknown key 'vcs': expected count, mode or name; did you mean "
                  "'--router vcs=1'?"},
        {"count", "thing box: key 'count' has no value: expected a whole number from 1 to 8"},
        {"name=", "thing box: key 'name' has no value: expected a name"},
        {"mode=fast,mode=fast", "thing box: repeated key 'mode': expected it once"},
        {"count=1", "thing box: missing key 'name': expected a name"},
    };
    struct ec_grammar needy = grammar;

    needy.required = 1U << NAME_KEY;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_slice values[KEYS];
        struct ec_error error;
        assert_int_equal(ec_keyvalue_split(&needy, ec_slice_of(cases[i].text), values, &error),
                         EC_USAGE);
        assert_string_equal(error.message, cases[i].message);
    }
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    static const struct {
        int key;
        const char *value, *message;
    } cases[] = {
        {COUNT_KEY, "0", "thing box: count=0: expected a whole number from 1 to 8"},
        {COUNT_KEY, "9", "thing box: count=9: expected a whole number from 1 to 8"},
        {COUNT_KEY, "+1", "thing box: count=+1: expected a whole number from 1 to 8"},
        {MODE_KEY, "fats", "thing box: mode=fats: expected fast or slow; did you mean 'fast'?"},
        {OTHER_KEY, "0", "thing box: other=0: expected a number above 0 and at most 2"},
        {OTHER_KEY, "2.1", "thing box: other=2.1: expected a number above 0 and at most 2"},
        {OTHER_KEY, "30%",
         "thing box: other=30%: expected a number above 0 and at most 2; did you mean "
         "'other=0.3'?"},
        {OTHER_KEY, "%", "thing box: other=%: expected a number above 0 and at most 2"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct ec_key *key = &keys[cases[i].key];
        const struct ec_slice value = ec_slice_of(cases[i].value);
        struct ec_error error;
        uint64_t number = 77;
        double fraction = 77;
        const enum ec_code code =
            key->type == EC_VALUE_FRACTION
                ? ec_keyvalue_fraction(&grammar, key, value, &fraction, &error)
                : ec_keyvalue_read(&grammar, key, value, &number, &error);
        assert_int_equal(code, EC_USAGE);
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(number, 77); /* untouched */
    }
}

/* With keys for fractions and texts of any kind. */
static void commas_of_decimals_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"other=0,25", "thing box: other=0,25: expected a decimal point, other=0.25, since a comma "
                       "separates keys"},
        {"other=1,count=2,25", "thing box: unknown key '25': expected count, mode, name, other or "
                               "title"},
        {"count=2,25", "thing box: unknown key '25': expected count, mode, name, other or title"},
        {"25", "thing box: unknown key '25': expected count, mode, name, other or title; did you "
               "mean 'box:count=25'?"},
        {"title=", "thing box: key 'title' has no value: expected title=..."},
    };
    struct ec_grammar full = grammar;

    full.taken = (1U << KEYS) - 1;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_slice values[KEYS];
        struct ec_error error;
        assert_int_equal(ec_keyvalue_split(&full, ec_slice_of(cases[i].text), values, &error),
                         EC_USAGE);
        assert_string_equal(error.message, cases[i].message);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("keys are found in any order", keys_are_found_in_any_order),
        TEST("every bad key is refused in the same form", bad_keys_are_refused),
        TEST("every bad value is refused in the same form", bad_values_are_refused),
        TEST("a comma in a decimal number is explained", commas_of_decimals_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
