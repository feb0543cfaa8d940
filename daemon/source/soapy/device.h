/*
 * device.h - finding, opening and closing a SoapySDR radio.
 *
 * SoapySDR keeps one object for each radio in a process: while an abandoned thread still sits in
 * one, opening the same radio again gives the same object. Many drivers can open a second stream in
 * it; where that fails, only a new process gets the radio back.
 */
#ifndef FFTD_DAEMON_SOURCE_SOAPY_DEVICE_H
#define FFTD_DAEMON_SOURCE_SOAPY_DEVICE_H

#include <SoapySDR/Device.h>
#include <stdbool.h>
#include <stdio.h>

#include "daemon/source/soapy/args.h"
#include "daemon/source/source.h"

/*
 * The first radio that matches config->device; says which when several do. Fills stream.about.
 * *shared: another source of this process has it too. -ENODEV: there is none; -EINVAL: the
 * arguments cannot be read; -EIO: it could not be opened.
 */
int soapy_device_open(struct source *s, SoapySDRDevice **out, bool *shared);
void soapy_device_close(SoapySDRDevice *device); /* NULL is fine */
int soapy_device_list(FILE *out);                /* as source_ops.list */

/* Fills *out, for SoapySDRKwargs_clear(). -ENOMEM. */
int soapy_kwargs(SoapySDRKwargs *out, const struct soapy_pairs *pairs);
/* source_fail with -EIO, what could not be done, SoapySDR's number and its text for it. */
int soapy_fail(struct source *s, int code, const char *what);

#endif
