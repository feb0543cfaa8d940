/* history_service.c - starts the history, and says what is read of the past. */
#include "daemon/http/stream/history_service.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/system/memory.h"

enum { MEMORY_SHARE = 8 };

int history_service_start(struct history_service *h, struct line_ring *lines, uint64_t bytes,
                          bool lossless, struct reason *why)
{
    const uint64_t most = memory_limits().available / MEMORY_SHARE;
    h->bytes = bytes;
    if (h->bytes == 0)
        return 0;
    if (h->bytes > most) {
        h->bytes = most > HISTORY_BYTES_MIN ? most : HISTORY_BYTES_MIN;
        log_info("history: %llu MiB, an eighth of the memory that is left",
                 (unsigned long long)(h->bytes >> 20));
    }
    const int err = history_thread_start(&h->thread, lines, (size_t)h->bytes, lossless);
    return err < 0 ? reason_set(why, err, "history: %s", strerror(-err)) : 0;
}

void history_service_finish(struct history_service *h)
{
    history_thread_stop(h->thread);
    h->thread = NULL;
}

const char *history_service_refusal(const struct history_service *h)
{
    return h->thread ? NULL : "the server keeps no history (history = 0)";
}

struct past_source history_service_source(const struct history_service *h,
                                          const struct line *latest)
{
    const bool live = latest && latest->anchor.id == 0;
    return (struct past_source){.history = history_thread_store(h->thread),
                                .folder = live ? h->archive : NULL};
}
