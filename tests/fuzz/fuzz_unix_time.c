/*
 * fuzz_unix_time.c - libFuzzer target: ISO 8601 times, and the texts of times.
 *
 * A time that is read, printed and read again is the same to the microsecond that is printed.
 */
#include "daemon/base/unix_time.h"
#include "tests/fuzz/fuzz.h"

static void check_round_trip(int64_t time_ns)
{
    char text[UNIX_TIME_TEXT], whole[UNIX_TIME_TEXT + 1];
    int64_t again;
    snprintf(whole, sizeof whole, "%sZ", unix_time_text(time_ns, "%Y-%m-%dT%H:%M:%S", text));
    check(unix_time_parse(whole, &again) == 0);
    check(again <= time_ns && time_ns - again < 1000);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    char *text = take_text(&in);
    int64_t time_ns;
    if (unix_time_parse(text, &time_ns) == 0)
        check_round_trip(time_ns);
    take_bytes(&in, &time_ns, sizeof time_ns);
    const struct unix_stamp stamp = unix_time_stamp(time_ns);
    check(stamp.microseconds >= 0 && stamp.microseconds <= 999999);
    free(text);
    return 0;
}
