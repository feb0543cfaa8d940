/* record_fixture.c - writes counter-coded samples, and reads recordings back. */
#include "tests/record/record_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"

void record_fixture_begin_epoch(struct record_fixture *b, bool lossless)
{
    struct reason why = {0};
    struct stream stream = {
        .format = FFT_IQ_CS16, .full_scale = 32768, .start_ns = FIXTURE_TIME_NS};
    stream.tuning.rate_hz = FIXTURE_RATE;
    stream.tuning.center_hz = 433.92e6;
    stream.gain_db = 20;
    snprintf(stream.about, sizeof stream.about, "fixture");
    const struct epoch_config config = {
        .number = b->epoch ? b->epoch->number + 1 : 0, .n = 64, .ring_bytes = 4 * FIXTURE_RING};
    if (b->epoch)
        epoch_unref(b->epoch);
    assert_int_equal(epoch_create(&b->epoch, &stream, &config, &why), 0);
    iq_ring_set_lossless(b->epoch->ring, lossless);
    b->position = b->lost = 0;
    iq_tap_begin(recorder_tap(b->recorder), b->epoch);
}

void record_fixture_start(struct record_fixture *b, bool lossless)
{
    struct reason why = {0};
    const struct recorder_config config = {.options = &b->options, .lossless = lossless};
    if (!b->folder[0]) {
        strcpy(b->folder, "/tmp/fftd-record-XXXXXX");
        assert_non_null(mkdtemp(b->folder));
    }
    b->options.folder = b->folder;
    assert_int_equal(recorder_create(&b->recorder, &config, &why), 0);
    record_fixture_begin_epoch(b, lossless);
}

void record_fixture_write(struct record_fixture *b, uint32_t samples)
{
    while (samples > 0) {
        const uint32_t now = samples < FIXTURE_BLOCK ? samples : FIXTURE_BLOCK;
        uint32_t *into = NULL;
        while (!into)
            into = iq_ring_write_begin(b->epoch->ring, 1000);
        for (uint32_t i = 0; i < now; i++)
            into[i] = (uint32_t)(b->position + b->lost + i);
        iq_ring_write_end(b->epoch->ring, now);
        b->position += now;
        samples -= now;
        iq_reader_advance(&b->epoch->reader, b->epoch->ring, b->position);
        struct iq_mark mark;
        while (iq_ring_pop_mark(b->epoch->ring, &mark))
            continue;
    }
}

void record_fixture_lose(struct record_fixture *b, enum loss cause, uint32_t samples)
{
    struct iq_mark mark = {0};
    mark.lost[cause] = samples;
    mark.events[cause] = 1;
    iq_ring_mark(b->epoch->ring, &mark);
    b->lost += samples;
}

void record_fixture_end_epoch(struct record_fixture *b)
{
    iq_ring_close(b->epoch->ring);
    iq_tap_end(recorder_tap(b->recorder));
    iq_reader_leave(&b->epoch->reader, b->epoch->ring);
}

struct record_info record_fixture_await(struct record_fixture *b, uint64_t id)
{
    struct record_info info;
    do {
        usleep(1000);
        assert_true(recorder_find(b->recorder, id, &info));
    } while (info.state == RECORD_RUNS);
    return info;
}

uint32_t *record_fixture_samples(const struct record_fixture *b, const char *name, size_t *count)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s.sigmf-data", b->folder, name);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    const size_t bytes = (size_t)ftell(in);
    rewind(in);
    assert_int_equal(bytes % 4, 0);
    uint32_t *samples = malloc(bytes + 1);
    assert_non_null(samples);
    *count = bytes / 4;
    assert_int_equal(fread(samples, 4, *count, in), *count);
    fclose(in);
    return samples;
}

json_t *record_fixture_meta(const struct record_fixture *b, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s.sigmf-meta", b->folder, name);
    return json_load_file(path, 0, NULL);
}

size_t record_fixture_count(const struct record_fixture *b, const char *suffix)
{
    size_t count = 0;
    const struct dirent *entry;
    DIR *dir = opendir(b->folder);
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        count += strstr(entry->d_name, suffix) != NULL;
    closedir(dir);
    return count;
}

void record_fixture_clean_up(struct record_fixture *b)
{
    char path[400];
    const struct dirent *entry;
    recorder_destroy(b->recorder);
    epoch_unref(b->epoch);
    DIR *dir = opendir(b->folder);
    while (dir && (entry = readdir(dir))) {
        snprintf(path, sizeof path, "%s/%s", b->folder, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(b->folder);
}
