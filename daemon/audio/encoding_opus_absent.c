/* encoding_opus_absent.c - Opus in a build without libopus: audio_request_read refuses it. */
#include "daemon/audio/audio_codec.h"

const struct audio_encoding_ops audio_encoding_opus = {.name = "opus",
                                                       .missing = "libopus (libopus-dev)"};
