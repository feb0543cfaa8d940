/* foreign_name.h - what other programs call our options and their values. Pure, any thread. */
#ifndef FFTD_DAEMON_OPTION_FOREIGN_NAME_H
#define FFTD_DAEMON_OPTION_FOREIGN_NAME_H

/*
 * Our word for one that is in lower case with '-': of an option as in "listen :PORT" (key NULL), of
 * an option's letter as in "--ppm" (key "-"), or of a value of the option `key`. NULL: none.
 */
const char *foreign_name(const char *key, const char *typed);

#endif
