/* option_rows.c - the options of the engine, of events, and of the command line alone. */
#include "daemon/config/config.h"

#include <errno.h>
#include <string.h>

#include "daemon/config/completion.h"
#include "daemon/config/option_table.h"
#include "daemon/option/rows.h"
#include "daemon/record/box_text.h"

static int check_engine(const char *text)
{
    char name[64];
    const size_t length = strcspn(text, ":");
    if (length >= sizeof name || (text[length] && !text[length + 1]))
        return -EINVAL;
    memcpy(name, text, length);
    name[length] = '\0';
    return option_check_name(name);
}

static int check_box(const char *text)
{
    struct box_text box;
    return box_text_parse(text, &box);
}

#define OPTION_OF struct config

const struct config_option config_options[] = {
    {"engine", "engine", 'e', STRING(engine.name, "auto"), .metavar = "NAME[:DEVICE]",
     .expected = "auto, or an engine's name, with :DEVICE where it has several",
     .check = check_engine,
     .help = "Engine that computes the spectra; auto selects the best one that works (see "
             "fftd list engines)"},
    {"engine", "threads", 't', COUNT(engine.threads, "0"), .metavar = "COUNT", RANGE(0, 256),
     .help = "Worker threads of the cpu engine; 0 is one for each core"},
    {"engine", "isa", STRING(engine.isa, "auto"), .metavar = "NAME",
     .expected = "auto, or the name of an instruction set", .check = option_check_name,
     .help = "Instruction set that the cpu engine must use; for tests"},
    {"engine", "engine-options", STRING(engine.options, ""), .metavar = "LIST",
     .expected = "options as in plan=local,measure",
     .help =
         "Options of the opencl engine. plan=passes, digitrev, local or fourstep forces a plan; "
         "measure times the most promising plans and keeps the fastest; cache=DIR (or off) "
         "is the directory for compiled kernels; profile=NAME plans as for another device; "
         "storage=half keeps points between passes in 16 bits, with an error of about -70 dB"},
    {"events", "events-max", COUNT(events.max, "100000"), .metavar = "COUNT", RANGE(0, 1e9),
     .help = "Number of newest events that the database in state-dir keeps; 0 is no limit"},
    {"events", "events-max-age", NUMBER(events.max_age_s, "0"), .metavar = "SECONDS",
     .unit = SI_SECONDS, RANGE(0, 1e9),
     .help = "Delete events older than this from the database, such as 30d; 0 is no limit"},
    {NULL, "config", 'c', STRING(file, ""), .metavar = "FILE", .expected = "a file name",
     .help = "Read settings from FILE or a pipe, see fftd.conf(5); options on the command line "
             "override "
             "them"},
    {NULL, "option", 'o', .kind = OPTION_ASSIGN, .fallback = "", .metavar = "SECTION.KEY=VALUE",
     .expected = "SECTION.KEY=VALUE", .help = "Set one key of the file"},
    {NULL, "measure", .kind = OPTION_MEASURE, .fallback = "", .metavar = "TYPE,KEY=VALUE,...",
     .expected = "TYPE,KEY=VALUE,... as in channel-power,center=433.92M,width=25k,name=voice",
     .help = "Add a measurement, like a section [measure NAME] of the file; may be repeated (see "
             "fftd list measurements)"},
    {NULL, "trigger", .kind = OPTION_TRIGGER, .fallback = "", .metavar = "KEY=VALUE,...",
     .expected = "KEY=VALUE,... as in level=-20,for=1ms or power=433M:434M>-40,name=gate",
     .help = "Add a trigger, like a section [trigger NAME] of the file; may be repeated (see "
             "fftd list triggers)"},
    {NULL, "print-config", FLAG(print_config),
     .help = "Print the settings in effect as a configuration file, and exit"},
    {NULL, "check-config", FLAG(check_config),
     .help = "Check the options and the file, open the engine and the recording, check that the "
             "outputs and the address can be opened, print ok, and exit. It opens no radio and "
             "changes no file"},
    {NULL, "list-devices", FLAG(list_devices), .help = "List the radios found, and exit"},
    {NULL, "list-engines", FLAG(list_engines),
     .help = "List the engines, and why an engine cannot be used; and exit"},
    {NULL, "list-measurements", FLAG(list_measurements),
     .help = "List the types of measurements with their keys, and exit"},
    {NULL, "list-triggers", FLAG(list_triggers),
     .help = "List the conditions of triggers with their keys, and exit"},
    {NULL, "verify", FLAG(verify),
     .help = "Check the engine against known signals: levels, bursts, density, corrections, the "
             "ledger, and speed compared with the sample rate; print pass or FAIL for each, and "
             "exit with status 1 after a FAIL"},
    {NULL, "repair", STRING(repair, ""), .metavar = "PATH", .expected = "a directory or file",
     .help = "Complete recordings that a crash interrupted, all of a directory or one by the name "
             "of its file, and exit"},
    {NULL, "cut", STRING(cut, ""), .metavar = "FROM:TO,LOW:HIGH",
     .expected = "FROM:TO,LOW:HIGH as in 12.5s:14s,433.9M:433.95M", .check = check_box,
     .help = "Write this box of time and frequency of the recording that --replay names, shifted "
             "to its centre and decimated, into the directory of --record, and exit. TO 0 is the "
             "end"},
    {NULL, "make-certificate", STRING(make_certificate, ""), .metavar = "DIR",
     .expected = "a directory",
     .help =
         "Create a self-signed certificate and its key for tls: addresses in this directory, with "
         "the names and addresses of this machine; print its fingerprint, and exit"},
    {NULL, "survey", STRING(survey, ""), .metavar = "DIR,KEY=VALUE,...",
     .expected = "a directory, and keys as in archive,from=-1d,width=25k",
     .help = "Print for every hour how much of it the channels were in use, from the archive in "
             "DIR, and exit"},
    {NULL, "replay-spectra", STRING(replay_spectra, ""), .metavar = "DIR,KEY=VALUE,...",
     .expected = "a directory, and keys as in archive,from=-1d,resolution=1s",
     .help = "Replay the spectrum archive in DIR instead of samples. realtime, speed, from, "
             "to, loop and keep-running work as for a recording"},
    {NULL, "completion", STRING(completion, ""), .metavar = "SHELL", .choices = COMPLETION_SHELLS,
     .help = "Print the script with which this shell completes the options of fftd, and exit"},
    {NULL, "version", 'V', FLAG(version),
     .help = "Print the version, the commit and the optional parts of this build, and exit"},
    {NULL, "help", 'h', FLAG(help), .help = "Print this help, and exit"},
    {0}};
