/*
 * view_encode.h - makes the wire frames of a view. Loop thread.
 */
#ifndef FFTD_DAEMON_CLIENT_VIEW_ENCODE_H
#define FFTD_DAEMON_CLIENT_VIEW_ENCODE_H

#include "daemon/client/view.h"
#include "daemon/wire/coded_frame.h"

/* What the frames of a view have in common. Zeroed: no frame yet. */
struct view_encoder {
    struct coded_base base; /* of range-coded frames */
    uint32_t skip_deflate;  /* frames to send without trying to deflate them */
};

/* A plain frame, or one that refers to the base: see coded_frame.h. NULL: no memory. */
struct ws_message *view_encode(struct view_encoder *e, const struct view *view,
                               const struct picture *p);

#endif
