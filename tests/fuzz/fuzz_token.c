/*
 * fuzz_token.c - libFuzzer target: the file of the control token.
 *
 * A file that loads holds its first line as the token: it matches, and no longer or shorter text
 * does.
 */
#include "daemon/access/token.h"
#include "daemon/base/reason.h"
#include "tests/fuzz/fuzz.h"

static void check_matches(const struct token *t, const char *line)
{
    char other[2048];
    check(token_matches(t, line));
    snprintf(other, sizeof other, "%s ", line);
    check(!token_matches(t, other));
    snprintf(other, sizeof other, "%.*s", (int)strlen(line) - 1, line);
    check(!token_matches(t, other));
    check(!token_matches(t, ""));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct token t;
    struct reason why = {0};
    char path[MEMORY_FILE_PATH];
    const int fd = make_memory_file(bytes, size, path);
    const int err = token_load(&t, NULL, path, &why);
    check_error(err, why.sentence);
    check(t.set == (err == 0));
    if (err == 0) {
        char *line = strndup((const char *)bytes, size);
        check(line != NULL);
        line[strcspn(line, "\r\n")] = '\0';
        check_matches(&t, line);
        free(line);
    } else {
        check(!token_matches(&t, ""));
    }
    close(fd);
    return 0;
}
