/*
 * channel_text.h - a channel as people write it: "center=433.92M,rate=250k,format=cu8". Pure, any
 * thread.
 *
 *     center, rate   needed
 *     width          of the flat part; all that the rate has room for
 *     format         cf32 (the default), cs16, cs8 or cu8
 *     gain           in dB, or auto; by default 0, and auto for cu8 and cs8
 *     output         a file; "-", the default, is standard output
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_TEXT_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_TEXT_H

#include <limits.h>

#include "daemon/channel/channel_gain.h"
#include "daemon/channel/channel_info.h"

struct reason;

struct channel_text {
    struct channel_request request;
    struct channel_format format;
    char output[PATH_MAX]; /* "": there is no such channel */
};

/* 0, or -EINVAL (-ENOMEM) with one line in *why that begins with the key. */
int channel_text_parse(const char *text, struct channel_text *out, struct reason *why);

#endif
