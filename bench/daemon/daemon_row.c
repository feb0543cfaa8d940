/* daemon_row.c - prints what fft-bench daemon measured. */
#include <stdio.h>

#include "bench/daemon/daemon.h"

/* Processors that a thread had, on average. */
static double share(const struct daemon_row *row, uint32_t i)
{
    return row->times.thread[i].seconds / row->seconds;
}

static double all_shares(const struct daemon_row *row)
{
    double sum = 0;
    for (uint32_t i = 0; i < row->times.count; i++)
        sum += share(row, i);
    return sum;
}

static void print_json(const struct options *o, const struct daemon_row *row)
{
    printf("{\"n\":%u,\"hop\":%u,\"engine\":\"%s\",\"format\":\"%s\",\"measurements\":%u,"
           "\"viewer\":%s,\"density\":\"%ux%u\",\"asked_msps\":%.2f,\"msps\":%.6f,",
           row->n, row->hop, row->engine, fft_iq_name(o->format), o->measurements,
           o->no_viewer ? "false" : "true", o->columns, o->levels, o->rate_hz * 1e-6,
           row->samples / row->seconds * 1e-6);
    printf("\"spectra_per_second\":%.0f,\"lines_per_second\":%.2f,\"viewer_lines_per_second\":%.2f,"
           "\"viewer_densities_per_second\":%.2f,\"lost\":{\"overflow\":%.0f,\"overrun\":%.0f,"
           "\"gap\":%.0f,\"retune\":%.0f,\"tail\":%.0f},\"folded_lines\":%.0f,",
           row->frames / row->seconds, row->lines / row->seconds, row->viewer_lines / row->seconds,
           row->viewer_densities / row->seconds, row->overflow, row->overrun, row->gap, row->retune,
           row->tail, row->folded);
    printf("\"processors\":%.3f,\"threads\":{", all_shares(row));
    for (uint32_t i = 0; i < row->times.count; i++)
        printf("%s\"%s\":%.3f", i ? "," : "", row->times.thread[i].name, share(row, i));
    printf("},\"channels\":{\"open\":%u,\"armed\":%u,\"missed\":%.0f}", o->channels_open,
           o->channels_armed, row->channels_missed);
    printf(",\"memory_mib\":%.0f,\"ring_mib\":%.0f,\"seconds\":%.3f,\"load_before\":%.2f}",
           row->memory_mib, row->ring_mib, row->seconds, row->load);
}

static void print_text(const struct options *o, const struct daemon_row *row)
{
    const double lost = row->overflow + row->overrun + row->gap + row->retune + row->tail;
    printf("n %u, hop %u, %s, %s, %u measurements, ", row->n, row->hop, fft_iq_name(o->format),
           row->engine, o->measurements);
    if (o->columns)
        printf("density %ux%u, ", o->columns, o->levels);
    printf("%s viewer; load before: %.2f\n", o->no_viewer ? "no" : "one", row->load);
    printf("    %.2f MS/s of %.2f, %.0f spectra/s, %.1f lines/s, viewer %.1f lines/s\n",
           row->samples / row->seconds * 1e-6, o->rate_hz * 1e-6, row->frames / row->seconds,
           row->lines / row->seconds, row->viewer_lines / row->seconds);
    printf("    lost %.0f samples: overflow %.0f, overrun %.0f, gap %.0f, retune %.0f, tail %.0f; "
           "folded %.0f lines\n",
           lost, row->overflow, row->overrun, row->gap, row->retune, row->tail, row->folded);
    if (o->channels_open + o->channels_armed > 0)
        printf("    channels of %.0f S/s: %u open, %u armed, missed %.0f samples\n",
               o->channel_rate_hz, o->channels_open, o->channels_armed, row->channels_missed);
    printf("    processors %.3f:", all_shares(row));
    for (uint32_t i = 0; i < row->times.count; i++)
        printf(" %s %.3f", row->times.thread[i].name, share(row, i));
    printf("; memory %.0f MiB and a ring of %.0f MiB\n", row->memory_mib, row->ring_mib);
}

void daemon_row_print(const struct options *o, const struct daemon_row *row, bool first)
{
    if (o->json) {
        printf("%s\n  ", first ? "" : ",");
        print_json(o, row);
    } else {
        print_text(o, row);
    }
    fflush(stdout);
}
