/* measuring.c - passes lines through the trace of a measurement to its hook. */
#include "daemon/measure/measuring.h"

#include <errno.h>
#include <string.h>

enum { IQ_MAX = 1 << 20 };

size_t measuring_iq_samples(const struct measuring *m, const struct line *line)
{
    const struct measure_ops *ops = m->setup->ops;
    const size_t wanted = ops->iq_samples ? ops->iq_samples(m->setup->state, line) : 0;
    const uint64_t most = line->sample_count < IQ_MAX ? line->sample_count : IQ_MAX;
    return wanted < most ? wanted : (size_t)most;
}

static int measure(struct measuring *m, const struct measuring_line *in)
{
    const struct measure_setup *s = m->setup;
    struct measure_result *result = in->scratch;
    const size_t wanted = measuring_iq_samples(m, in->line);
    m->trace.function = s->trace;
    m->trace.count = s->count;
    int err = trace_update(&m->trace, in->line, s->detector);
    if (err == -ENOENT)
        return measure_refuse(result, "the detector %s is not computed: restart fftd",
                              detector_name(s->detector));
    const struct measure_input input = {.line = in->line,
                                        .power = m->trace.power,
                                        .detector = s->detector,
                                        .function = s->trace,
                                        .lines = m->trace.lines,
                                        .iq = in->iq,
                                        .iq_count = in->iq_count < wanted ? in->iq_count : wanted};
    if (err == 0)
        err = s->ops->update(s->state, &input, result);
    if (err < 0 && !result->reason[0])
        measure_refuse(result, "%s", strerror(-err));
    return err;
}

void measuring_update(struct measuring *m, const struct measuring_line *in,
                      struct measure_report *out)
{
    memset(in->scratch, 0, sizeof *in->scratch);
    measure(m, in);
    memcpy(out->name, m->setup->text.name, strlen(m->setup->text.name) + 1);
    out->ops = m->setup->ops;
    out->detector = m->setup->detector;
    out->function = m->setup->trace;
    out->lines = m->trace.lines;
    measure_report_set(out, in->scratch);
}

void measuring_finish(struct measuring *m)
{
    trace_finish(&m->trace);
    measure_setup_destroy(m->setup);
    *m = (struct measuring){0};
}
