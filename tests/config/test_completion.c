/* test_completion.c - each script has every option, every choice, every command.
 * tests/project/completion.sh has the shells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/config/commands.h"
#include "daemon/config/completion.h"
#include "daemon/config/option_table.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/config/config_case.h"

static char *script_of(const char *shell)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    completion_print(shell, out);
    fclose(out);
    return text;
}

/* Whether the word is there, and no letter, digit or '-' beside it. */
static bool has_word(const char *text, const char *word)
{
    static const char part[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !strchr(part, at[-1])) && !(at[length] && strchr(part, at[length])))
            return true;
    return false;
}

static void assert_word(const char *shell, const char *text, const char *word)
{
    if (!has_word(text, word))
        fail_msg("the script of %s lacks %s", shell, word);
}

static void assert_choices(const char *shell, const char *text, const char *choices)
{
    char *copy = strdup(choices), *rest = copy, *word;
    while ((word = strsep(&rest, ", ")))
        if (*word)
            assert_word(shell, text, word);
    free(copy);
}

static void scripts_have_every_option_choice_and_command(void **state)
{
    (void)state;
    static const struct {
        const char *shell, *before; /* what an option's name follows */
    } shells[] = {{"bash", "--"}, {"zsh", "--"}, {"fish", "-l "}};
    for (size_t s = 0; s < sizeof shells / sizeof shells[0]; s++) {
        char *text = script_of(shells[s].shell);
        for (size_t i = 0; i < option_count(); i++) {
            char name[80];
            snprintf(name, sizeof name, "%s%s", shells[s].before, option_at(i)->key);
            assert_word(shells[s].shell, text, name);
            if (option_at(i)->choices)
                assert_choices(shells[s].shell, text, option_at(i)->choices);
        }
        for (size_t i = 0; i < command_count; i++)
            assert_word(shells[s].shell, text, commands[i].name);
        assert_choices(shells[s].shell, text,
                       "hann, blackman-harris, gauss, devices, measurements");
        free(text);
    }
}

static void other_shells_are_refused(void **state)
{
    (void)state;
    config_case_bad(
        "--completion=csh", NULL,
        "--completion: unknown completion 'csh': one of bash, zsh, fish (did you mean zsh?)");
    config_case_bad("--completion=", NULL, "--completion: needs a value: one of bash, zsh, fish");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_have_every_option_choice_and_command),
        cmocka_unit_test(other_shells_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
