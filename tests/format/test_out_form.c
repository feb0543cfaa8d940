/* test_out_form.c - distinguishes files of earlier outputs from other files, wherever they end. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/format/output_form.h"

#define STAMP "2024-01-01, 12:00:00.123456, "
#define LINE  "{\"time\":\"2024-01-01T12:00:00.123456Z\",\"line\":7,\""

/* Rows as the documentation has them. */
struct example {
    const struct out_form *form;
    const char *head, *row;
};

enum { EXAMPLES = 12 };

static void make_examples(struct example e[EXAMPLES])
{
    static const char head[] = OUTPUT_FORM_EVENTS_HEAD "\n";
    static const char *const detectors[] = {"mean", "max", "min", "sample"};
    static char json[4][256];
    int n = 0;
    e[n++] =
        (struct example){output_form_csv(0, false), "",
                         STAMP "433000000, 435000000, 500000, 8, -1.00, -2.00, -3.00, -4.00\n"};
    e[n++] = (struct example){
        output_form_csv(0, true), "",
        "2024-01-01, 12:00:00, -1171.875, 1171.875, 1171.875, 8, -300.00, -2.00\n"};
    e[n++] = (struct example){output_form_csv(1, false), "",
                              STAMP "2400000000, 2402500000, 1250000.00, 20, -64.72, 3.36\n"};
    e[n++] = (struct example){output_form_csv(2, false), "", "868.950000,-36.44\n"};
    e[n++] = (struct example){output_form_events(false), head, STAMP "0.5, a, level, 1, 2\n"};
    e[n++] = (struct example){output_form_events(true), head,
                              "2024-01-01, 12:00:00, 1e-05, a, level, 1, 2\n"};
    for (unsigned d = 0; d < 4; d++, n++) {
        snprintf(json[d], sizeof json[d], LINE "merged\":1,\"detector\":\"%s\",\"power\":[-1]}\n",
                 detectors[d]);
        e[n] = (struct example){output_form_json(d), "", json[d]};
    }
    e[n++] = (struct example){&output_form_measure, "", LINE "name\":\"a\",\"type\":\"power\"}\n"};
    e[n++] = (struct example){&output_form_stats, "",
                              "{\"produced\":100,\"seen\":90,\"lost\":{\"gap\":1}}\n"};
    assert_int_equal(n, EXAMPLES);
}

/* What out_form_examine returns of a file with these bytes. */
static int examine(const struct out_form *form, const char *bytes, size_t length, uint64_t *whole)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fflush(file), 0);
    const int err = out_form_examine(form, fileno(file), whole);
    fclose(file);
    return err;
}

static int examine_text(const struct out_form *form, const char *text)
{
    uint64_t whole;
    return examine(form, text, strlen(text), &whole);
}

static void rows_are_whole_up_to_the_last_newline_wherever_the_file_ends(void **state)
{
    struct example e[EXAMPLES];
    (void)state;
    make_examples(e);
    for (int i = 0; i < EXAMPLES; i++) {
        char text[2048];
        const int length =
            snprintf(text, sizeof text, "%s%s%s%s", e[i].head, e[i].row, e[i].row, e[i].row);
        for (size_t cut = 0; cut <= (size_t)length; cut++) {
            const char *newline = memrchr(text, '\n', cut);
            uint64_t whole;
            const int err = examine(e[i].form, text, cut, &whole);
            assert_int_equal(err, newline || cut == 0 ? 0 : -EEXIST);
            if (newline)
                assert_int_equal(whole, (uint64_t)(newline + 1 - text));
        }
    }
}

/* What out_form_is_first_part says of a file with these bytes. */
static bool is_first_part(const struct out_form *form, const char *bytes, size_t length)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fflush(file), 0);
    const bool is = out_form_is_first_part(form, fileno(file));
    fclose(file);
    return is;
}

/* Wherever a kill ends it: not nothing, and no whole line. */
static void a_part_of_the_first_row_is_known_wherever_it_ends(void **state)
{
    struct example e[EXAMPLES];
    (void)state;
    make_examples(e);
    for (int i = 0; i < EXAMPLES; i++) {
        char text[2048] = "";
        const int length = snprintf(text, sizeof text, "%s%s%s", e[i].head, e[i].row, e[i].row);
        const size_t line = strcspn(text, "\n");
        for (size_t cut = 0; cut <= (size_t)length; cut++)
            if (is_first_part(e[i].form, text, cut) != (cut > 0 && cut <= line))
                fail_msg("%s: %.*s", e[i].form->what, (int)cut, text);
        for (size_t cut = 0; cut < line; cut++) { /* another byte follows, also far behind */
            char other[2048];
            memcpy(other, text, cut);
            memcpy(other + cut, "~\n", 2);
            assert_false(is_first_part(e[i].form, other, cut + 2));
            if (cut < 16)
                assert_false(is_first_part(e[i].form, other, cut + 1));
        }
    }
}

/* A row is often longer than what is examined of it. Zeros may follow; nothing follows them. */
static void a_long_part_of_the_first_row_is_known_too(void **state)
{
    enum { CAPACITY = 300000 };
    static char bytes[CAPACITY];
    struct example e[EXAMPLES];
    (void)state;
    make_examples(e);
    memset(bytes, '1', sizeof bytes);
    memcpy(bytes, e[0].row, strlen(e[0].row) - 1);
    assert_true(is_first_part(e[0].form, bytes, sizeof bytes));
    bytes[CAPACITY - 1] = '\n';
    assert_false(is_first_part(e[0].form, bytes, sizeof bytes));
    memset(bytes + 50, 0, sizeof bytes - 50);
    assert_true(is_first_part(e[0].form, bytes, sizeof bytes));
    bytes[CAPACITY - 1] = '1';
    assert_false(is_first_part(e[0].form, bytes, sizeof bytes));
    memset(bytes, 0, sizeof bytes);
    assert_false(is_first_part(e[0].form, bytes, sizeof bytes));
}

static void a_form_is_no_other_form(void **state)
{
    struct example e[EXAMPLES];
    (void)state;
    make_examples(e);
    for (int i = 0; i < EXAMPLES; i++)
        for (int k = 0; k < EXAMPLES; k++) {
            char text[1024];
            snprintf(text, sizeof text, "%s%s", e[k].head, e[k].row);
            assert_int_equal(examine_text(e[i].form, text), i == k ? 0 : -EEXIST);
        }
}

static const char *const foreign[] = {
    "2",
    "-",
    "{",
    "\n",
    "notes\n",
    "Grüße aus Köln\n",
    "date, time, ",
    "2024-01-01, I moved the antenna\n",
    "868.950000,-36.4\n",
    "868.950000;-36.44\n",
    "frequency,level\n868.950000,-36.44\n",
    "868.950000,-36.44\nnotes\n",
    "# Tag name ; color\nUntagged ; #c0c0c0\n\n# Frequency ; Name ; Modulation ; Bandwidth ; "
    "Tags\n",
    /* rtl_power repeats the last level */
    "2024-01-01, 12:00:00, 433000000, 433004687, 2343.75, 100, -1.00, -2.00, -2.00\n",
    "2024-01-01, 12:00:00, 433000000, 434000000, 976.56, 100, -1.00, -2.00, -2.00\n",
    "{\"time\":\"2024-01-01 12:00:00\",\"model\":\"Acurite\",\"id\":1}\n", /* rtl_433 */
    "{\"time\":\"2024-01-01T12:00:00.123456Z\",\"line\":7,\"text\":\"a log\"}\n",
    "{\"produced\":100}\n",
    /* a row with fewer levels than it says, and one with more */
    STAMP "433000000, 435000000, 500000, 8, -1.00, -2.00, -3.00\n",
    STAMP "2400000000, 2405000000, 1000000.00, 20, -64.72, -63.36\n",
    STAMP "2400000000, 2420000000, 10000000.00, 20, -64.72, -63.36\n", /* wider than 5 MHz */
    STAMP "2400000000, 2405000000, 0, 20, -64.72\n",
};

static void files_of_others_are_of_no_form(void **state)
{
    struct example e[EXAMPLES];
    (void)state;
    make_examples(e);
    for (int i = 0; i < EXAMPLES; i++)
        for (size_t k = 0; k < sizeof foreign / sizeof foreign[0]; k++)
            if (examine_text(e[i].form, foreign[k]) != -EEXIST)
                fail_msg("%s: %s", e[i].form->what, foreign[k]);
}

/* After a loss of power a file has its length, but zeros for the last bytes. */
static void only_zeros_at_the_end_are_cut(void **state)
{
    enum { CAPACITY = 200000 };
    static char bytes[CAPACITY];
    struct example e[EXAMPLES];
    uint64_t whole;
    (void)state;
    make_examples(e);
    for (int i = 0; i < EXAMPLES; i++) {
        memset(bytes, 0, sizeof bytes);
        const size_t rows = (size_t)snprintf(bytes, 2048, "%s%s", e[i].head, e[i].row);
        bytes[rows] = '\0';
        assert_int_equal(examine(e[i].form, bytes, sizeof bytes, &whole), 0);
        assert_int_equal(whole, rows);
        memcpy(bytes + rows, e[i].row, 8); /* the beginning of a row before them */
        assert_int_equal(examine(e[i].form, bytes, sizeof bytes, &whole), 0);
        assert_int_equal(whole, rows);
        for (size_t note = rows + 20; note < CAPACITY; note += 50000) {
            bytes[note] = 'a';
            assert_int_equal(examine(e[i].form, bytes, sizeof bytes, &whole), -EEXIST);
            bytes[note] = '\0';
        }
    }
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(examine(e[0].form, bytes, sizeof bytes, &whole), -EEXIST);
}

/* A sparse file of 10 GB: neither its hole nor a row of that length is read. */
static void a_long_file_is_read_in_part(void **state)
{
    struct example e[EXAMPLES];
    uint64_t whole;
    (void)state;
    make_examples(e);
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs(e[0].row, file);
    fflush(file);
    const uint64_t end = UINT64_C(10) << 30;
    assert_int_equal(ftruncate(fileno(file), (off_t)end), 0);
    assert_int_equal(out_form_examine(e[0].form, fileno(file), &whole), -EEXIST);
    assert_true(pwrite(fileno(file), "\n", 1, (off_t)end) == 1);
    assert_true(pwrite(fileno(file), e[0].row, strlen(e[0].row), (off_t)end + 1) > 0);
    assert_int_equal(out_form_examine(e[0].form, fileno(file), &whole), 0);
    assert_int_equal(whole, end + 1 + strlen(e[0].row));
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole_up_to_the_last_newline_wherever_the_file_ends),
        cmocka_unit_test(a_part_of_the_first_row_is_known_wherever_it_ends),
        cmocka_unit_test(a_long_part_of_the_first_row_is_known_too),
        cmocka_unit_test(a_form_is_no_other_form),
        cmocka_unit_test(files_of_others_are_of_no_form),
        cmocka_unit_test(only_zeros_at_the_end_are_cut),
        cmocka_unit_test(a_long_file_is_read_in_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
