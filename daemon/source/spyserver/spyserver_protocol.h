/*
 * spyserver_protocol.h - the messages between a SpyServer (protocol 2.0) and its client. Pure, any
 * thread.
 *
 * The client sends commands: a number, the size of the body, the body. The server sends messages: a
 * header of 20 bytes and a body of up to 1 MiB. It begins with the device and the state of the
 * client (sync), and numbers the messages of the stream. All numbers are little-endian, of 32 bits.
 */
#ifndef FFTD_DAEMON_SOURCE_SPYSERVER_SPYSERVER_PROTOCOL_H
#define FFTD_DAEMON_SOURCE_SPYSERVER_SPYSERVER_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

enum {
    SPYSERVER_HEADER = 20,
    SPYSERVER_DEVICE = 48,
    SPYSERVER_SYNC = 36,
    SPYSERVER_BODY_MAX = 1 << 20,
    SPYSERVER_HELLO_MAX = 64,
    SPYSERVER_SETTING_BYTES = 16,
    SPYSERVER_GAIN_MAX_DB = 100 /* of what a server may name: 16 bits have 96 */
};

enum spyserver_message {
    SPYSERVER_MESSAGE_DEVICE = 0,
    SPYSERVER_MESSAGE_SYNC = 1,
    SPYSERVER_MESSAGE_UINT8 = 100,
    SPYSERVER_MESSAGE_INT16 = 101,
    SPYSERVER_MESSAGE_INT24 = 102,
    SPYSERVER_MESSAGE_FLOAT = 103
};

enum spyserver_setting {
    SPYSERVER_STREAMING_MODE = 0, /* 1: samples only */
    SPYSERVER_STREAMING = 1,      /* 0, 1 */
    SPYSERVER_GAIN = 2,           /* an index */
    SPYSERVER_FORMAT = 100,       /* enum spyserver_format */
    SPYSERVER_CENTER = 101,       /* Hz */
    SPYSERVER_DECIMATION = 102,   /* stage n: the rate is the greatest one / 2^n */
    SPYSERVER_DIGITAL_GAIN = 103  /* dB */
};

enum spyserver_format { SPYSERVER_UINT8 = 1, SPYSERVER_INT16 = 2, SPYSERVER_FLOAT = 4 };

struct spyserver_header {
    uint32_t protocol, type; /* type: of the message; what we do not know is skipped */
    uint32_t gain_db;        /* that the server applied to integer samples */
    uint32_t sequence, size;
};

struct spyserver_device {
    const char *name; /* "Airspy", or "radio" */
    uint32_t serial, max_rate_hz, stages, min_stage, max_gain, min_hz, max_hz;
    uint32_t forced_format; /* 0: the client chooses */
};

struct spyserver_sync {
    bool may_control;
    uint32_t gain, center_hz, min_center_hz, max_center_hz;
};

/* False: the protocol's number or the size is none of this protocol. */
bool spyserver_read_header(const uint8_t bytes[SPYSERVER_HEADER], struct spyserver_header *out);
/* False: the body is too short, or its numbers cannot be: no rate, or stages that leave none. */
bool spyserver_read_device(const uint8_t *body, size_t size, struct spyserver_device *out);
bool spyserver_read_sync(const uint8_t *body, size_t size, struct spyserver_sync *out);
/* The same rates, gains and centres: what was chosen of them still holds. */
bool spyserver_same_device(const struct spyserver_device *a, const struct spyserver_device *b);

/* The format of the ring for a message of samples; FFT_IQ_FORMATS: none that fftd reads. */
enum fft_iq_format spyserver_iq_format(uint32_t message);
/* Of the rates of this device the stage whose rate this is; -1: none. */
int spyserver_stage(const struct spyserver_device *d, double rate_hz);

/* Both return the number of bytes. */
size_t spyserver_write_hello(uint8_t out[SPYSERVER_HELLO_MAX]);
size_t spyserver_write_setting(uint8_t out[SPYSERVER_SETTING_BYTES], enum spyserver_setting setting,
                               uint32_t value);

#endif
