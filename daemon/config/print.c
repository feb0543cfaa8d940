/* print.c - prints the options as a configuration file, as --help, and for the manuals. */
#include <stdio.h>
#include <string.h>

#include "daemon/base/wrap.h"
#include "daemon/config/commands.h"
#include "daemon/config/loader.h"
#include "daemon/config/option_table.h"
#include "daemon/system/build_commit.h"

enum { HELP_INDENT = 32 };

static const struct {
    const char *name, *about;
} sections[] = {
    {"source", "Source of the samples"},
    {"radio", "Tuning of the radio"},
    {"spectrum", "Computation of spectra"},
    {"sweep", "Spans wider than the rate"},
    {"engine", "Engine"},
    {"server", "Web page, websocket and access"},
    {"channels", "Channels: bands of the samples, for other programs"},
    {"output", "Output files and limits"},
    {"record", "Recordings of the samples"},
    {"events", "Events of triggers"},
    {"archive", "Archive of the spectra"},
    {"nats", "Many radios through a NATS broker"},
};

/* "Help. Value: expected. Default: text. Reload changes it." */
static void describe(const struct config_option *o, bool with_default, char *into, size_t size)
{
    char expected[256], value[300] = "", fallback[64] = "", alias[64] = "";
    option_expected(o, expected, sizeof expected);
    if (o->section && o->metavar)
        snprintf(value, sizeof value, " Value: %s.", expected);
    if (with_default && o->metavar && *o->fallback)
        snprintf(fallback, sizeof fallback, " Default: %s.", o->fallback);
    if (o->alias)
        snprintf(alias, sizeof alias, " Earlier name: %s.", o->alias);
    snprintf(into, size, "%s.%s%s%s%s", o->help, value, fallback,
             o->live ? " Reload changes it." : "", alias);
}

/* inih cuts at a ';' after a space, trims, and reads lines of at most 197 characters. */
static bool fits_the_file(const struct config_option *o, const char *text)
{
    const size_t length = strlen(text);
    if (strlen(o->key) + 3 + length > 197)
        return false;
    if (length && (text[0] == ' ' || text[0] == ';' || text[length - 1] == ' '))
        return false;
    return !strstr(text, " ;");
}

/* Prints defaults as comments: for some options it matters whether they were given (listen). */
static void print_option(FILE *out, const struct config_option *o, const struct option_value *s)
{
    const char *text = s ? s->text : o->fallback;
    const char *space = *text ? " " : "";
    if (!s || s->origin == FROM_DEFAULT)
        fprintf(out, "#%s =%s%s\n", o->key, space, text);
    else if (o->secret && *text)
        fprintf(out, "# (set, and not shown)\n#%s =\n", o->key);
    else if (!fits_the_file(o, text))
        fprintf(out, "# (set, but a file cannot hold this value)\n#%s =%s%s\n", o->key, space,
                text);
    else
        fprintf(out, "%s =%s%s\n", o->key, space, text);
}

static void print_section(FILE *out, size_t section, const struct config *c)
{
    char text[1024];
    fprintf(out, "\n# ---- %s ----\n[%s]\n", sections[section].about, sections[section].name);
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (!o->section || strcmp(o->section, sections[section].name) != 0)
            continue;
        describe(o, false, text, sizeof text);
        fprintf(out, "\n# ");
        wrap_print(out, text, "# ", 2);
        print_option(out, o, c ? config_option_value(c, o) : NULL);
    }
}

static void print_pair(FILE *out, const struct option_pair *k)
{
    const struct config_option o = {.key = k->key};
    const char *space = *k->value ? " " : "";
    if (!fits_the_file(&o, k->value))
        fputs("# (set, but a file cannot hold this value)\n#", out);
    fprintf(out, "%s =%s%s\n", k->key, space, k->value);
}

static void print_texts(FILE *out, const char *word, const struct option_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "\n[%s %s]\n", word, texts[i].name);
        for (size_t k = 0; k < texts[i].count; k++)
            print_pair(out, &texts[i].keys[k]);
    }
}

static void print_measures(FILE *out, const struct config *c)
{
    fputs(
        "\n# ---- Measurements ----\n"
        "# A section for each. \"fftd list measurements\" shows the types and their keys. Reload\n"
        "# adds, changes and removes them.\n"
        "#[measure NAME]\n#type = channel-power\n#center = 433.92M\n#width = 25k\n",
        out);
    if (c)
        print_texts(out, "measure", c->measures, c->measure_count);
}

static void print_triggers(FILE *out, const struct config *c)
{
    fputs(
        "\n# ---- Triggers ----\n"
        "# A section for each. \"fftd list triggers\" shows the conditions and their keys. Reload\n"
        "# adds, changes and removes them.\n"
        "#[trigger NAME]\n#level = -20\n",
        out);
    if (c)
        print_texts(out, "trigger", c->triggers, c->trigger_count);
}

static void print_channels(FILE *out, const struct config *c)
{
    fputs(
        "\n# ---- Named channels ----\n"
        "# A section for each: see \"Channels\" in fftd.conf(5). Reload adds, changes and removes\n"
        "# them.\n"
        "#[channel NAME]\n#center = 118.1M\n#rate = 25k\n#squelch = 6\n#record = iq\n",
        out);
    if (c)
        print_texts(out, "channel", c->channel_texts, c->channel_count);
}

void config_print(const struct config *c, FILE *out)
{
    fputs("# fftd.conf - settings of fftd, the spectrum analyser daemon. See fftd.conf(5).\n"
          "#\n"
          "# A key in a comment has its default value, which is shown. Numbers may be written as\n"
          "# 433.92M, 433.92 MHz, 2.4e6 or 250k. Every key is also an option of the command line,\n"
          "# which overrides the file. A reload (SIGHUP) changes the keys that say so below.\n",
          out);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        print_section(out, i, c);
    print_measures(out, c);
    print_triggers(out, c);
    print_channels(out, c);
}

/* What stands at the right of a row that is `width` characters long so far. */
static void print_help_text(FILE *out, int width, const char *text)
{
    char indent[HELP_INDENT + 1];
    memset(indent, ' ', HELP_INDENT);
    indent[HELP_INDENT] = '\0';
    if (width >= HELP_INDENT)
        fprintf(out, "\n%s", indent);
    else
        fprintf(out, "%*s", HELP_INDENT - width, "");
    wrap_print(out, text, indent, HELP_INDENT);
}

/* "  -n, --fft-size SAMPLES", or "      --loop" */
static void print_help_row(FILE *out, const struct config_option *o)
{
    char text[1024];
    char letter[] = "   ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c,", o->letter);
    const int width = fprintf(out, "  %s --%s%s%s", letter, o->key, o->metavar ? " " : "",
                              o->metavar ? o->metavar : "");
    const bool has_default = o->metavar && *o->fallback;
    snprintf(text, sizeof text, "%s%s%s%s%s%s", o->help, has_default ? " [" : "",
             has_default ? o->fallback : "", has_default ? "]" : "",
             o->alias ? ". Earlier name: --" : "", o->alias ? o->alias : "");
    print_help_text(out, width, text);
}

static void print_help_commands(FILE *out)
{
    fputs("\nCommands, as the first word:\n", out);
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &commands[i];
        const int width = fprintf(out, "  %s%s%s", c->name, *c->usage ? " " : "", c->usage);
        print_help_text(out, width, c->about);
    }
}

/* Of this section; NULL: of the command line alone, but for options that commands stand for. */
static bool is_listed(const struct config_option *o, const char *section)
{
    if (section)
        return o->section && strcmp(o->section, section) == 0;
    return !o->section && !command_of(o);
}

static void print_help_section(FILE *out, const char *name, const char *about)
{
    fprintf(out, "\n%s:\n", about);
    for (size_t i = 0; i < option_count(); i++) {
        if (is_listed(option_at(i), name))
            print_help_row(out, option_at(i));
    }
}

void config_print_version(FILE *out)
{
    static const struct {
        const char *name, *needs;
        bool here;
    } parts[] = {{"cuda", "nvcc of CUDA 12 or 13", FFTD_HAVE_CUDA},
                 {"soapy", "libsoapysdr-dev", FFTD_HAVE_SOAPY},
                 {"nats", "libnats-dev", FFTD_HAVE_NATS},
                 {"opus", "libopus-dev", FFTD_HAVE_OPUS}};
    const char *commit = build_commit();
    fprintf(out, "fftd %s\ncommit: %s\n", FFTD_VERSION, *commit ? commit : "not known");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        fprintf(out, "%s: %s%s\n", parts[i].name, parts[i].here ? "yes" : "built without ",
                parts[i].here ? "" : parts[i].needs);
}

/* "  --repair PATH" and what it does, of each option that the command sets. */
static void print_command_help(FILE *out, const struct command *c)
{
    fprintf(out, "Usage: fftd %s%s%s [OPTION]...\n", c->name, *c->usage ? " " : "", c->usage);
    wrap_print(out, c->about, "", 0);
    fputs("\nThe same as options:\n", out);
    for (size_t i = 0; i < option_count(); i++)
        if (command_sets(c, option_at(i)))
            print_help_row(out, option_at(i));
    fputs("\nfftd help lists all commands and options.\n", out);
}

void config_print_help(const struct config *config, FILE *out)
{
    if (config && config->command && !config->command->names_command) {
        print_command_help(out, config->command);
        return;
    }
    fputs("Usage: fftd [COMMAND] [OPTION]... [RECORDING]\n"
          "Real-time spectrum analyser daemon for software defined radio.\n\n"
          "  fftd --source sim                   simulated radio, http://127.0.0.1:8010/\n"
          "  fftd -d driver=rtlsdr -f 100M -s 2.4M\n"
          "  fftd FILE.cu8 --csv -               spectrum of a recording as CSV\n",
          out);
    print_help_commands(out);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        print_help_section(out, sections[i].name, sections[i].about);
    print_help_section(out, NULL, "Configuration and information");
    fputs("\nfftd help COMMAND describes a command.\n"
          "Numbers may be written as 433.92M, '433.92 MHz', 2.4e6 or 250k.\n"
          "--FLAG or --FLAG=yes enables a flag, --FLAG=no disables it.\n",
          out);
}

/* Escapes the characters that scdoc interprets. */
static void print_scdoc(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\*_", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_man_body(FILE *out, const struct config_option *o)
{
    char text[1024];
    describe(o, true, text, sizeof text);
    fputc('\t', out);
    print_scdoc(out, text);
    fprintf(out, "\n\n");
}

static void print_man_option(FILE *out, const struct config_option *o)
{
    if (o->letter)
        fprintf(out, "*-%c*, ", o->letter);
    fprintf(out, "*--%s*", o->key);
    if (o->metavar)
        fprintf(out, " _%s_", o->metavar);
    fputc('\n', out);
    print_man_body(out, o);
}

static void print_man_options(FILE *out, const char *name, const char *about)
{
    fprintf(out, "## %s\n\n", about);
    for (size_t i = 0; i < option_count(); i++) {
        if (is_listed(option_at(i), name))
            print_man_option(out, option_at(i));
    }
}

/* The options that only this command stands for. */
static void print_man_command_options(FILE *out, const struct command *c)
{
    char text[1024];
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        if (command_of(o) != c)
            continue;
        fprintf(out, "\t*--%s*%s", o->key, o->metavar ? " _" : "");
        print_scdoc(out, o->metavar ? o->metavar : "");
        describe(o, true, text, sizeof text);
        fputs(o->metavar ? "_: " : ": ", out);
        print_scdoc(out, text);
        fputs("\n\n", out);
    }
}

void config_print_man_commands(FILE *out)
{
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = &commands[i];
        fprintf(out, "*fftd %s*%s", c->name, *c->usage ? " " : "");
        print_scdoc(out, c->usage);
        fprintf(out, "\n\t");
        print_scdoc(out, c->about);
        fprintf(out, ".\n\n");
        print_man_command_options(out, c);
    }
}

void config_print_man_options(FILE *out)
{
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        print_man_options(out, sections[i].name, sections[i].about);
    print_man_options(out, NULL, "Configuration and information");
}

static void print_man_setting(FILE *out, const struct config_option *o)
{
    fprintf(out, "*%s* = _%s_\n", o->key, o->metavar ? o->metavar : "yes|no");
    print_man_body(out, o);
}

void config_print_man_settings(FILE *out)
{
    for (size_t k = 0; k < sizeof sections / sizeof sections[0]; k++) {
        fprintf(out, "## [%s]: %s\n\n", sections[k].name, sections[k].about);
        for (size_t i = 0; i < option_count(); i++) {
            const struct config_option *o = option_at(i);
            if (o->section && strcmp(o->section, sections[k].name) == 0)
                print_man_setting(out, o);
        }
    }
}
