/* history_text.h - rows of the history as JSON or as a binary frame. Any thread. */
#ifndef FFTD_DAEMON_HTTP_STREAM_HISTORY_TEXT_H
#define FFTD_DAEMON_HTTP_STREAM_HISTORY_TEXT_H

#include "daemon/archive/read/archive_past.h"
#include "daemon/base/text.h"

/* 0, -ENOMEM. */
int history_write(struct text *out, const struct past_source *past,
                  const struct history_query *query, bool binary);

#endif
