/* commands.c - the table of commands. */
#include "daemon/config/commands.h"

#include <string.h>

#include "daemon/base/near_name.h"

const struct command commands[] = {
    {.name = "help",
     .usage = "[COMMAND]",
     .about = "Print the commands and options, or what one command does",
     .flag = "help",
     .names_command = true},
    {.name = "version",
     .usage = "",
     .about = "Print the version, the commit and the optional parts of this build",
     .flag = "version"},
    {.name = "list",
     .usage = "devices|engines|measurements|triggers",
     .about = "List radios, engines with the reason if one is unavailable, types of measurements, "
              "or conditions of triggers",
     .prefix = "list-"},
    {.name = "verify",
     .usage = "",
     .about = "Check the engine against known signals",
     .flag = "verify"},
    {.name = "cut",
     .usage = "RECORDING FROM:TO,LOW:HIGH",
     .about = "Write a box of time and frequency of a recording into the directory of --record",
     .word = {"replay", "cut"}},
    {.name = "repair",
     .usage = "PATH",
     .about = "Complete recordings that a crash interrupted: one, or all in a directory",
     .word = {"repair"}},
    {.name = "survey",
     .usage = "DIR[,KEY=VALUE]...",
     .about = "Print how much of each hour the channels were in use, from a spectrum archive",
     .word = {"survey"}},
    {.name = "calibrate",
     .usage = "[level=DBM] [ppm] at=HZ",
     .about = "Measure a known tone, and write the level offset or the ppm of the radio's clock "
              "into the table of --calibration",
     .prefix = "calibrate-"},
    {.name = "make-certificate",
     .usage = "DIR",
     .about = "Make a certificate and its key for encrypted addresses in a directory",
     .word = {"make-certificate"}},
    {.name = "learn-spurs",
     .usage = "FILE",
     .about = "Add the lines that the radio shows without an antenna to a spur list",
     .word = {"learn-spurs"}},
    {.name = "hub",
     .usage = "URL",
     .about = "Serve the radios of all sensors of a NATS broker",
     .word = {"hub"}},
};
const size_t command_count = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

bool command_sets(const struct command *c, const struct config_option *o)
{
    if (c->prefix && strncmp(o->key, c->prefix, strlen(c->prefix)) == 0)
        return true;
    for (int i = 0; i < COMMAND_WORDS && c->word[i]; i++)
        if (strcmp(o->key, c->word[i]) == 0)
            return true;
    return c->flag && strcmp(o->key, c->flag) == 0;
}

const struct command *command_of(const struct config_option *o)
{
    for (size_t i = 0; !o->section && !o->letter && i < command_count; i++)
        if (command_sets(&commands[i], o))
            return &commands[i];
    return NULL;
}

const char *command_near(const char *typed)
{
    struct near_name near = near_name_begin(typed);
    near.distance = 2; /* one letter is wrong, missing, or too many */
    for (size_t i = 0; i < command_count; i++)
        near_name_offer(&near, commands[i].name);
    return near.name;
}
