/* option_refusal.h - why an option refuses a value, and the value that was probably meant. Pure. */
#ifndef FFTD_DAEMON_OPTION_OPTION_REFUSAL_H
#define FFTD_DAEMON_OPTION_OPTION_REFUSAL_H

#include "daemon/option/option.h"

/* "bad value 'x': expected a number ... (did you mean y?)". The caller frees it; NULL: no memory.
 */
char *option_refusal(const struct config_option *o, const char *text);

#endif
