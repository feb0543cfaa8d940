/*
 * commands.h - the commands of the command line, "fftd repair PATH": what each of their words sets.
 *
 * A command is the first word. It stands for options that do the same: "fftd repair DIR" is "fftd
 * --repair DIR". Pure, any thread.
 */
#ifndef FFTD_DAEMON_CONFIG_COMMANDS_H
#define FFTD_DAEMON_CONFIG_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/option/option.h"

enum { COMMAND_WORDS = 2 };

struct command {
    const char *name;
    const char *usage; /* the words after the name; "": none */
    const char *about; /* a sentence without its full stop */
    const char *flag;  /* the option that the command itself sets; NULL: none */
    /* The options that the words set, in this order, each of them once. */
    const char *word[COMMAND_WORDS];
    /* Or each word is KEY or KEY=VALUE, of the option with this and the key as its name. */
    const char *prefix;
    bool names_command; /* or the word is a command */
};

extern const struct command commands[];
extern const size_t command_count;

const struct command *command_find(const char *name); /* NULL: none */
/* True if a word of the command, or the command itself, sets the option. */
bool command_sets(const struct command *c, const struct config_option *o);
/* The command that an option of the command line alone stands for; NULL: none. */
const struct command *command_of(const struct config_option *o);
/* The known name nearest to a mistyped one; NULL: none is near. */
const char *command_near(const char *typed);

#endif
