/*
 * completion.c - scripts of bash, zsh and fish.
 *
 * Each has the same: commands and their words, options, and of an option's value its choices, files
 * or directories. No script calls fftd, so that a key press waits for nothing.
 */
#include "daemon/config/completion.h"

#include <string.h>

#include "daemon/config/commands.h"
#include "daemon/config/option_table.h"
#include "fft/window.h"

enum { WORDS_MAX = 512 };

/* What the value of an option is. */
enum value { NO_VALUE, ANY_TEXT, WORDS, A_FILE, A_DIRECTORY };

/* words: those of WORDS, with a space between them. */
static enum value value_of(const struct config_option *o, char words[WORDS_MAX])
{
    words[0] = '\0';
    if (option_is_flag(o))
        return NO_VALUE;
    if (o->kind == OPTION_WINDOW) {
        for (int i = 0; i < FFT_WINDOW_KINDS; i++)
            snprintf(words + strlen(words), WORDS_MAX - strlen(words), "%s%s", i ? " " : "",
                     fft_window_name((enum fft_window_kind)i));
        return WORDS;
    }
    if (o->choices) {
        for (const char *c = o->choices; *c; c++)
            snprintf(words + strlen(words), WORDS_MAX - strlen(words), "%.1s", *c == ',' ? "" : c);
        return WORDS;
    }
    const char *expected = o->expected ? o->expected : "";
    if (strncmp(expected, "a file name", 11) == 0 || strcmp(expected, "a directory or file") == 0)
        return A_FILE;
    return strcmp(expected, "a directory") == 0 ? A_DIRECTORY : ANY_TEXT;
}

/* The help up to the end of its first clause, between single quotes of a shell and brackets of zsh.
 */
static void print_about(FILE *out, const char *help)
{
    for (; *help && strncmp(help, ". ", 2) != 0 && strncmp(help, ": ", 2) != 0; help++) {
        if (*help == ';' || strncmp(help, " (", 2) == 0)
            return;
        if (*help == '\'')
            fputs("'\\''", out);
        else
            fputc(strchr("\\[]:", *help) ? ' ' : *help, out);
    }
}

static void print_command_names(FILE *out)
{
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "%s%s", i ? " " : "", commands[i].name);
}

/* The words after a command: names of commands, or of the options that it stands for. None: files.
 */
static void print_command_words(FILE *out, const struct command *c)
{
    const char *space = "";
    if (c->names_command)
        print_command_names(out);
    for (size_t i = 0; c->prefix && i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (strncmp(o->key, c->prefix, strlen(c->prefix)) != 0)
            continue;
        fprintf(out, "%s%s%s", space, o->key + strlen(c->prefix), option_is_flag(o) ? "" : "=");
        space = " ";
    }
}

/* ---- bash ------------------------------------------------------------------------------- */

/* "--csv|-x" of each option of this kind, as a pattern of case; whether there are any. */
static bool print_bash_pattern(FILE *out, enum value kind)
{
    char words[WORDS_MAX];
    const char *bar = "    ";
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (value_of(o, words) != kind)
            continue;
        fprintf(out, "%s--%s", bar, o->key);
        if (o->letter)
            fprintf(out, "|-%c", o->letter);
        bar = "|";
    }
    return *bar == '|';
}

static void print_bash_values(FILE *out)
{
    char words[WORDS_MAX];
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (value_of(o, words) != WORDS)
            continue;
        fprintf(out, "    --%s", o->key);
        if (o->letter)
            fprintf(out, "|-%c", o->letter);
        fprintf(out, ") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", words);
    }
    if (print_bash_pattern(out, A_FILE))
        fputs(") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", out);
    if (print_bash_pattern(out, A_DIRECTORY))
        fputs(") COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n", out);
    if (print_bash_pattern(out, ANY_TEXT))
        fputs(") return ;;\n", out);
}

static void print_bash(FILE *out)
{
    /* readline splits --source=sim into three words. */
    fputs("# Completion of fftd for bash, printed by fftd --completion bash.\n"
          "_fftd()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    COMPREPLY=()\n"
          "    if [ \"$cur\" = = ]; then\n"
          "        cur=\n"
          "    elif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -ge 2 ]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    case $prev in\n",
          out);
    print_bash_values(out);
    fputs("    esac\n    compopt +o filenames 2>/dev/null\n    if [[ $cur == -* ]]; then\n        "
          "COMPREPLY=($(compgen -W '",
          out);
    for (size_t i = 0; i < option_count(); i++)
        fprintf(out, "%s--%s", i ? " " : "", option_at(i)->key);
    fputs("' -- \"$cur\"))\n        return\n    fi\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '",
          out);
    print_command_names(out);
    fputs("' -- \"$cur\") $(compgen -f -- \"$cur\"))\n        return\n    fi\n    case "
          "${COMP_WORDS[1]} in\n",
          out);
    for (size_t i = 0; i < command_count; i++) {
        if (!commands[i].names_command && !commands[i].prefix)
            continue;
        fprintf(out, "    %s) COMPREPLY=($(compgen -W '", commands[i].name);
        print_command_words(out, &commands[i]);
        fputs("' -- \"$cur\")) ;;\n", out);
    }
    fputs("    *)\n        compopt -o filenames 2>/dev/null\n"
          "        COMPREPLY=($(compgen -f -- \"$cur\"))\n        ;;\n    esac\n}\n"
          "complete -F _fftd fftd\n",
          out);
}

/* ---- zsh -------------------------------------------------------------------------------- */

static void print_zsh_option(FILE *out, const struct config_option *o)
{
    char words[WORDS_MAX];
    const enum value value = value_of(o, words);
    const char *has = value == NO_VALUE ? "" : "=";
    if (o->letter)
        fprintf(out, "    '(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->key, o->letter,
                value == NO_VALUE ? "" : "+", o->key, has);
    else
        fprintf(out, "    '--%s%s[", o->key, has);
    print_about(out, o->help);
    fputc(']', out);
    if (value != NO_VALUE)
        fprintf(out, ":%s:", o->key);
    if (value == WORDS)
        fprintf(out, "(%s)", words);
    else if (value == A_FILE || value == A_DIRECTORY)
        fputs(value == A_FILE ? "_files" : "_files -/", out);
    fputs("' \\\n", out);
}

static void print_zsh(FILE *out)
{
    fputs("#compdef fftd\n"
          "# Completion of fftd for zsh, printed by fftd --completion zsh.\n"
          "_fftd_first()\n{\n    local -a commands\n    commands=(\n",
          out);
    for (size_t i = 0; i < command_count; i++) {
        fprintf(out, "    '%s:", commands[i].name);
        print_about(out, commands[i].about);
        fputs("'\n", out);
    }
    fputs("    )\n    _describe -t commands command commands\n    _files\n}\n"
          "_fftd_word()\n{\n    case $words[2] in\n",
          out);
    for (size_t i = 0; i < command_count; i++) {
        if (!commands[i].names_command && !commands[i].prefix)
            continue;
        fprintf(out, "    %s) compadd ", commands[i].name);
        print_command_words(out, &commands[i]);
        fputs(" ;;\n", out);
    }
    fputs("    *) _files ;;\n    esac\n}\n_fftd()\n{\n    _arguments -s -S \\\n", out);
    for (size_t i = 0; i < option_count(); i++)
        print_zsh_option(out, option_at(i));
    fputs("    '1: :_fftd_first' '*: :_fftd_word'\n}\n"
          "if [ \"$funcstack[1]\" = _fftd ]; then\n    _fftd \"$@\"\nelse\n    compdef _fftd "
          "fftd\nfi\n",
          out);
}

/* ---- fish ------------------------------------------------------------------------------- */

static void print_fish_option(FILE *out, const struct config_option *o)
{
    char words[WORDS_MAX];
    static const char *const flags[] = {[NO_VALUE] = "",
                                        [ANY_TEXT] = " -x",
                                        [WORDS] = " -x",
                                        [A_FILE] = " -r -F",
                                        [A_DIRECTORY] = " -x"};
    const enum value value = value_of(o, words);
    fprintf(out, "complete -c fftd -l %s%s", o->key, flags[value]);
    if (o->letter)
        fprintf(out, " -s %c", o->letter);
    if (value == WORDS)
        fprintf(out, " -a '%s'", words);
    else if (value == A_DIRECTORY)
        fputs(" -a '(__fish_complete_directories)'", out);
    fputs(" -d '", out);
    print_about(out, o->help);
    fputs("'\n", out);
}

static void print_fish(FILE *out)
{
    fputs("# Completion of fftd for fish, printed by fftd --completion fish.\n", out);
    for (size_t i = 0; i < command_count; i++) {
        fprintf(out, "complete -c fftd -n __fish_use_subcommand -a %s -d '", commands[i].name);
        print_about(out, commands[i].about);
        fputs("'\n", out);
    }
    for (size_t i = 0; i < command_count; i++) {
        if (!commands[i].names_command && !commands[i].prefix)
            continue;
        fprintf(out, "complete -c fftd -f -n '__fish_seen_subcommand_from %s' -a '",
                commands[i].name);
        print_command_words(out, &commands[i]);
        fputs("'\n", out);
    }
    for (size_t i = 0; i < option_count(); i++)
        print_fish_option(out, option_at(i));
}

void completion_print(const char *shell, FILE *out)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shells[i].name, shell) == 0)
            shells[i].print(out);
}
