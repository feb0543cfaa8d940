/*
 * soapy_device.h - finds, opens and closes a SoapySDR radio.
 *
 * SoapySDR keeps one object for each radio in a process. While an abandoned thread is stuck in it,
 * opening the same radio again returns the same object. Many drivers can open a second stream in
 * it; if that fails, only a new process can open the radio.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_SOAPY_DEVICE_H
#define FFTD_DAEMON_SOURCE_SOAPY_SOAPY_DEVICE_H

#include <SoapySDR/Device.h>
#include <stdbool.h>
#include <stdio.h>

#include "daemon/source/soapy/soapy_args.h"
#include "daemon/source/source.h"

/*
 * Opens the first radio that matches config->device, and logs which one if several match. A sound
 * card (driver=audio) is no radio: it is opened only if no other device matches. Sets stream.about.
 * *shared: another source of this process has it too. -ENODEV: none matches; -EINVAL: invalid
 * arguments; -EIO: it cannot be opened.
 */
int soapy_device_open(struct source *s, SoapySDRDevice **out, bool *shared);
void soapy_device_close(SoapySDRDevice *device); /* NULL is fine */
int soapy_device_list(FILE *out);                /* as source_ops.list; sound cards last */

/* The receiver that the configuration selects; soapy_reference_apply checks that the radio has it.
 */
static inline size_t soapy_channel(const struct source *s)
{
    return s->config->rx_channel;
}

/* Fills *out; the caller clears it with SoapySDRKwargs_clear. -ENOMEM. */
int soapy_kwargs(SoapySDRKwargs *out, const struct soapy_pairs *pairs);
/*
 * Refuses a name that is not in a list of the radio, and lists the valid ones; frees the list. A
 * radio whose list is empty has nothing to choose from: its driver would ignore every name.
 */
int soapy_check_name(struct source *s, const char *what, const char *name, char **names,
                     size_t count);
/* Says that the radio has no such name, and which it has; none: what it has if the list is empty.
 */
int soapy_fail_name(struct source *s, const char *what, const char *name, char *const *names,
                    size_t count, const char *none);
/* Returns source_fail with -EIO and a line of `what`, the code, and SoapySDR's text for it. */
int soapy_fail(struct source *s, int code, const char *what);

#endif
