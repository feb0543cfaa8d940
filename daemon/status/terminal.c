/* terminal.c - decides when progress is shown, and what limits a replay. */
#include "daemon/status/terminal.h"

#include <string.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "daemon/status/progress.h"

static bool is_standard_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool terminal_wants_progress(const struct config *config)
{
    const struct output_options *o = &config->output;
    const bool rows = is_standard_output(o->csv) || is_standard_output(o->json);
    return (config->source.replay || config->replay_spectra) && !config->source.realtime &&
           !(rows && isatty(STDOUT_FILENO));
}

void terminal_show_progress(const struct config *config, const struct status *status)
{
    const struct progress_limits limits = {.seconds = config->output.duration_s,
                                           .lines = config->output.lines};
    char text[120];
    if (status->state == SOURCE_RUNNING && log_is_on_terminal())
        log_progress(progress_text(status, &limits, text, sizeof text));
}
