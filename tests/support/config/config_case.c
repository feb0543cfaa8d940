/* config_case.c - writes configuration files for tests and loads them. */
#include "tests/support/config/config_case.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/cmocka_all.h"

static void write_file(struct config_case *k, const char *bytes, size_t size)
{
    FILE *file = fopen(k->file, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void make_file(struct config_case *k, const char *bytes, size_t size)
{
    strcpy(k->file, "/tmp/fftd_config_XXXXXX");
    const int fd = mkstemp(k->file);
    assert_true(fd >= 0);
    close(fd);
    write_file(k, bytes, size);
}

void config_case_load_bytes(struct config_case *k, const char *words, const char *file, size_t size)
{
    char *argv[64], *copy = strdup(words), *at = copy;
    int argc = 0;
    memset(k, 0, sizeof *k);
    argv[argc++] = (char *)"fftd";
    if (file) {
        make_file(k, file, size);
        argv[argc++] = (char *)"-c";
        argv[argc++] = k->file;
    }
    for (char *word; *words && (word = strsep(&at, " ")) && argc < 63;)
        argv[argc++] = word;
    argv[argc] = NULL;
    k->err = config_load(&k->config, argc, argv, &k->why);
    free(copy);
}

void config_case_load(struct config_case *k, const char *words, const char *file)
{
    config_case_load_bytes(k, words, file, file ? strlen(file) : 0);
}

void config_case_finish(struct config_case *k)
{
    config_finish(&k->config);
    if (k->file[0])
        unlink(k->file);
}

void config_case_rewrite(struct config_case *k, const char *file)
{
    write_file(k, file, strlen(file));
}

void config_case_good(struct config_case *k, const char *words, const char *file)
{
    config_case_load(k, words, file);
    if (k->err)
        fail_msg("'%s' was refused: %s", words, k->why.sentence);
}

/* Replaces each '@' in error by the name of the file. */
static void insert_name(const char *error, const char *name, char *into, size_t size)
{
    size_t used = 0;
    for (; *error; error++)
        used += (size_t)snprintf(into + used, size - used, "%.*s", *error == '@' ? 200 : 1,
                                 *error == '@' ? name : error);
}

void config_case_bad(const char *words, const char *file, const char *error)
{
    char want[1024];
    struct config_case k;
    config_case_load(&k, words, file);
    insert_name(error, k.file, want, sizeof want);
    if (k.err != -EINVAL)
        fail_msg("'%s' gave %d instead of: %s", words, k.err, want);
    assert_string_equal(k.why.sentence, want);
    config_case_finish(&k);
}

char *config_case_text(void (*print)(const struct config *c, FILE *out), const struct config *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(c, out);
    fclose(out);
    return text;
}
