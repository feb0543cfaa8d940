/*
 * fuzz_config.c - libFuzzer target: the configuration file, -o, printing and reloading.
 *
 * An input is a file up to its first byte 0x01, followed by one -o per line. An input that loads
 * must print as a file that loads again and prints the same. A reload of it must change nothing.
 */
#include "daemon/base/reason.h"
#include "daemon/config/loader.h"
#include "tests/fuzz/fuzz.h"

enum { WORDS_MAX = 32 };

struct words {
    int count;
    char *argv[WORDS_MAX + 1];
};

static void add_word(struct words *w, char *word)
{
    if (w->count + 1 < WORDS_MAX)
        w->argv[w->count++] = word;
}

static char *print(const struct config *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    config_print(c, out);
    fclose(out);
    return text;
}

static void check_reload(struct config *c)
{
    struct reason why = {0};
    struct settings want = c->settings;
    struct config_changes changes;
    if (config_reload(c, &want, &changes, NULL, &why) || changes.applied[0] || changes.restart[0])
        abort();
}

static void check_round_trip(const struct config *c)
{
    struct reason why = {0};
    char path[MEMORY_FILE_PATH], *text = print(c);
    if (strstr(text, "\n# (set, ")) { /* a token, or a value that a file cannot hold */
        free(text);
        return;
    }
    const int fd = make_memory_file(text, strlen(text), path);
    char *argv[] = {(char *)"fftd", (char *)"-c", path, NULL};
    struct config again;
    if (config_load(&again, 3, argv, &why))
        abort();
    char *printed = print(&again);
    if (strcmp(text, printed) != 0)
        abort();
    free(text);
    free(printed);
    config_finish(&again);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct reason why = {0};
    char path[MEMORY_FILE_PATH], *options, *at;
    const uint8_t *split = size ? memchr(bytes, 1, size) : NULL;
    const size_t file_size = split ? (size_t)(split - bytes) : size;
    const int fd = make_memory_file(bytes, file_size, path);
    struct words w = {.count = 3, .argv = {(char *)"fftd", (char *)"-c", path}};
    options = at = strndup(split ? (const char *)split + 1 : "", split ? size - file_size - 1 : 0);
    for (char *word; split && (word = strsep(&at, "\n"));) {
        add_word(&w, (char *)"-o");
        add_word(&w, word);
    }
    w.count -= (w.count % 2 == 0); /* no -o without its value */
    w.argv[w.count] = NULL;
    struct config c;
    const int err = config_load(&c, w.count, w.argv, &why);
    check_error(err, why.sentence);
    if (!err) {
        check_reload(&c);
        check_round_trip(&c);
    }
    config_finish(&c);
    free(options);
    close(fd);
    return 0;
}
