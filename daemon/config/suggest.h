/*
 * suggest.h - names that a mistyped one probably stands for. Pure, any thread.
 *
 * A suggestion is an equal name in another case or with '_', a name that other programs use, a
 * name that begins or ends with it, or a name with few letters more, less, changed or exchanged.
 */
#ifndef FFTD_DAEMON_CONFIG_SUGGEST_H
#define FFTD_DAEMON_CONFIG_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * For an unknown long option: what to write after "--", as in "center" or "listen :PORT". With a
 * section, only its keys. NULL: nothing is near.
 */
const char *suggest_option(const char *section, const char *name);

/* For an impossible long option: where to find that function instead. NULL: not known. */
const char *suggest_other_place(const char *name);

/* For an unknown section of the file. NULL: nothing is near. */
const char *suggest_section(const char *name);

/* For an unknown short option: "-V" or "--ppm". False: nothing is near. */
bool suggest_letter(char letter, char *into, size_t size);

/* True if the word after a single '-' is the name of an option: -rate in place of --rate. */
bool suggest_is_name(const char *word);

#endif
