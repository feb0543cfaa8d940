/* suggest.c - finds the option that a mistyped name probably stands for. */
#include "daemon/config/suggest.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/near_name.h"

/* Names of other programs (rtl_power, rtl_sdr, gqrx, SoapySDRUtil, GNU Radio) for our options. */
static const struct foreign {
    const char *name, *ours;
} foreign_options[] = {
    {"freq", "center"},
    {"frequency", "center"},
    {"centre", "center"},
    {"tune", "center"},
    {"fc", "center"},
    {"samplerate", "rate"},
    {"samp-rate", "rate"},
    {"sampling-rate", "rate"},
    {"fs", "rate"},
    {"sps", "rate"},
    {"fft", "fft-size"},
    {"nfft", "fft-size"},
    {"bins", "fft-size"},
    {"size", "fft-size"},
    {"n", "fft-size"},
    {"port", "listen :PORT"},
    {"host", "listen HOST:PORT"},
    {"bind", "listen HOST:PORT"},
    {"address", "listen HOST:PORT"},
    {"http", "listen :PORT"},
    {"file", "replay"},
    {"input", "replay"},
    {"in", "replay"},
    {"filename", "replay"},
    {"iq", "replay"},
    {"play", "replay"},
    {"output", "csv"},
    {"out", "csv"},
    {"log", "csv"},
    {"averages", "average"},
    {"avg", "average"},
    {"integration", "average"},
    {"driver", "device driver=NAME"},
    {"serial", "device serial=NUMBER"},
    {"sdr", "device"},
    {"radio", "device"},
    {"lna", "gain LNA=DB"},
    {"freq-correction", "ppm"},
    {"lo-offset", "converter"},
    {"converter-offset", "converter"},
    {"correction", "ppm"},
    {"trace", "detector"},
    {"maxhold", "detector max"},
    {"max-hold", "detector max"},
    {"minhold", "detector min"},
    {"peak-hold", "detector max"},
    {"fps", "line-rate"},
    {"time", "duration"},
    {"seconds", "duration"},
    {"timeout", "duration"},
    {"simulate", "source sim"},
    {"sim", "source sim"},
    {"demo", "source sim"},
    {"cores", "threads"},
    {"jobs", "threads"},
    {"backend", "engine"},
    {"gpu", "engine"},
    {"password", "token-file"},
    {"sample-format", "format"},
    {"type", "format"},
    {"repeat", "loop"},
    {"root", "web-root"},
    {"www", "web-root"},
    {"list", "list-devices"},
    {"devices", "list-devices"},
    {"usage", "help"},
    {"check", "check-config"},
    {"hop", "overlap"},
    {"bw", "bandwidth"},
    {"source-level", "calibrate-level DBM"},
    {"at", "calibrate-at HZ"},
    {"unit", "level-unit"},
    {"units", "level-unit"},
    {"dbm", "level-unit dbm"},
    {"dbuv", "level-unit dbuv"},
};

static const char *foreign_name(const char *section, const char *typed)
{
    for (size_t i = 0; i < sizeof foreign_options / sizeof foreign_options[0]; i++) {
        const struct foreign *f = &foreign_options[i];
        char key[NEAR_NAME_MAX + 1];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(f->ours, " "), f->ours);
        if (strcmp(typed, f->name) == 0 && (!section || option_find(section, key)))
            return f->ours;
    }
    return NULL;
}

const char *suggest_other_place(const char *name)
{
    static const struct {
        const char *name, *place;
    } others[] = {
        {"density", "it is counted for those who read /api/v1/density or the page; "
                    "--density-columns, -levels, -top and -step set its size and range"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i].name, name) == 0)
            return others[i].place;
    return NULL;
}

const char *suggest_option(const char *section, const char *name)
{
    char typed[NEAR_NAME_MAX + 1];
    const char *found = NULL;
    unsigned best = NEAR_NAME_FAR;
    if (!near_name_fold(name, typed))
        return NULL;
    if ((found = foreign_name(section, typed)))
        return found;
    for (size_t i = 0; i < config_option_count; i++) {
        const struct config_option *o = &config_options[i];
        if (section && (!o->section || strcmp(o->section, section) != 0))
            continue;
        const unsigned now = near_name_distance(typed, o->key);
        if (now < best) {
            best = now;
            found = o->key;
        }
    }
    return found;
}

const char *suggest_section(const char *name)
{
    char typed[NEAR_NAME_MAX + 1];
    const char *found = NULL;
    unsigned best = NEAR_NAME_FAR;
    if (!near_name_fold(name, typed))
        return NULL;
    for (size_t i = 0; i < config_option_count; i++) {
        const char *section = config_options[i].section;
        const unsigned now = section ? near_name_distance(typed, section) : NEAR_NAME_FAR;
        if (now < best) {
            best = now;
            found = section;
        }
    }
    return found;
}

bool suggest_letter(char letter, char *into, size_t size)
{
    static const struct {
        char letter;
        const char *word;
    } foreign_letters[] = {
        {'p', "--ppm"}, {'a', "--antenna"}, {'i', "--replay"}, {'b', "--fft-size"}};
    for (size_t i = 0; i < sizeof foreign_letters / sizeof foreign_letters[0]; i++) {
        if (foreign_letters[i].letter == letter) {
            snprintf(into, size, "%s", foreign_letters[i].word);
            return true;
        }
    }
    const bool lower = islower((unsigned char)letter);
    const int other = lower ? toupper((unsigned char)letter) : tolower((unsigned char)letter);
    snprintf(into, size, "-%c", other);
    return option_find_letter((char)other) != NULL;
}

bool suggest_is_name(const char *word)
{
    char typed[NEAR_NAME_MAX + 1];
    return strlen(word) > 2 && near_name_fold(word, typed) &&
           (option_find(NULL, typed) || foreign_name(NULL, typed));
}
