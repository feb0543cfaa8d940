/* commands.c - the table of commands. */
#include "daemon/config/commands.h"

#include <string.h>

#include "daemon/base/near_name.h"

const struct command commands[] = {
    {.name = "list",
     .usage = "devices|engines|measurements|triggers",
     .about = "List the radios found, the engines and why others did not open, the types of "
              "measurements, or the conditions of triggers",
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
     .about = "Complete the recordings of a directory, or one of them, that a crash interrupted",
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

const char *command_near(const char *typed)
{
    char folded[NEAR_NAME_MAX + 1];
    const char *best = NULL;
    unsigned least = 2; /* one letter is wrong, missing, or too many */
    if (!near_name_fold(typed, folded))
        return NULL;
    for (size_t i = 0; i < command_count; i++) {
        const unsigned distance = near_name_distance(folded, commands[i].name);
        if (distance < least) {
            best = commands[i].name;
            least = distance;
        }
    }
    return best;
}
