/* server_counts.c - the figures of the server as rows. */
#include "daemon/server/server_counts.h"

#include "daemon/figure/figure_report.h"

const struct figure server_figures[] = {
    FIGURE_GAUGE(struct server_counts, clients, "clients", "fftd_clients",
                 "Websocket clients connected now."),
    FIGURE_GAUGE(struct server_counts, views, "views", "fftd_views",
                 "Distinct views rendered for clients."),
    FIGURE_COUNTER(struct server_counts, clients_total, "clients_total", "fftd_clients_accepted",
                   "Websocket clients accepted since start."),
    FIGURE_COUNTER(struct server_counts, displaced_total, "displaced_total", "fftd_displaced",
                   "Clients closed to make room for another address."),
    FIGURE_COUNTER(struct server_counts, refused_total, "refused_total", "fftd_refused",
                   "Connections and websocket upgrades refused."),
    FIGURE_COUNTER(struct server_counts, frames_total, "frames_total", "fftd_client_frames",
                   "Spectrum frames sent to clients."),
    FIGURE_COUNTER(struct server_counts, merged_total, "merged_total", "fftd_client_merged",
                   "Lines that slow clients received folded into a later line."),
    FIGURE_COUNTER(struct server_counts, lines_missed, "lines_missed", "fftd_server_lines_missed",
                   "Lines overwritten before the server read them."),
    FIGURE_COUNTER(struct server_counts, wrong_tokens_total, "wrong_tokens_total",
                   "fftd_wrong_tokens", "Control tokens refused."),
    FIGURE_COUNTER(struct server_counts, blocked_tokens_total, "blocked_tokens_total",
                   "fftd_blocked_tokens",
                   "Control tokens refused unread after too many wrong ones from an address."),
    FIGURE_COUNTER(struct server_counts, spectra_total, "spectra_total", "fftd_spectra",
                   "Spectra rendered for HTTP."),
    FIGURE_GAUGE(struct server_counts, answer_bytes, "answer_bytes", "fftd_answer_bytes",
                 "Bytes of HTTP answers that are not read yet."),
    FIGURE_END,
};

void server_counts_write(const struct metric_writer *m, const struct server_counts *c)
{
    figures_write(m, server_figures, c);
    if (c->tls.not_after_s != 0) /* there is a certificate */
        figures_write(m, tls_figures, &c->tls);
}
