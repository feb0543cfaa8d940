/* level_code.c - predicts each level from those at its left, and codes the difference. */
#include "daemon/wire/level_code.h"

#include "daemon/wire/range_coder.h"

/* Predictions: the last level, an average of some 4, one of some 16, and the line through two. */
enum { LAST, SHORT, LONG, SLOPE, PREDICTIONS };
enum {
    UNIT = 64, /* of predictions, a level */
    SHORT_COUNT = 4,
    LONG_COUNT = 16,
    LONG_STEP = 8 * UNIT, /* the most that a level moves the sum of the long average */
    ERROR_MIN = 64        /* a quarter of a level: errors are sums of four */
};

struct predictor {
    uint32_t error[PREDICTIONS]; /* 4 x the recent mean, in 1/UNIT levels */
    uint32_t value[PREDICTIONS]; /* in 1/UNIT levels */
    uint32_t short_sum, long_sum;
    uint32_t level;
};

static uint32_t smallest_error(const struct predictor *p)
{
    uint32_t smallest = p->error[0];
    for (int i = 1; i < PREDICTIONS; i++)
        smallest = p->error[i] < smallest ? p->error[i] : smallest;
    return smallest + ERROR_MIN;
}

/* The mean of the predictions, weighted by (smallest error / error)^4. */
static uint32_t predict(const struct predictor *p, uint32_t smallest)
{
    uint64_t sum = 0, weights = 0;
    for (int i = 0; i < PREDICTIONS; i++) {
        const uint64_t ratio = 256 * smallest / (p->error[i] + ERROR_MIN);
        const uint64_t weight = ratio * ratio * ratio * ratio;
        sum += weight * p->value[i];
        weights += weight;
    }
    return (uint32_t)(sum / weights);
}

static uint32_t slope(uint32_t level, uint32_t before)
{
    const uint32_t doubled = 2 * level;
    if (doubled < before)
        return 0;
    return doubled - before > UINT8_MAX ? UINT8_MAX : doubled - before;
}

static void start(struct predictor *p, uint32_t level)
{
    const uint32_t value = level * UNIT;
    p->short_sum = SHORT_COUNT * value;
    p->long_sum = LONG_COUNT * value;
    p->level = level;
    for (int i = 0; i < PREDICTIONS; i++)
        p->value[i] = value;
}

static void learn(struct predictor *p, uint32_t level)
{
    const uint32_t value = level * UNIT;
    for (int i = 0; i < PREDICTIONS; i++) {
        const uint32_t error = value > p->value[i] ? value - p->value[i] : p->value[i] - value;
        p->error[i] += error - p->error[i] / 4;
    }
    const uint32_t average = p->long_sum / LONG_COUNT;
    if (value > average)
        p->long_sum += value - average < LONG_STEP ? value - average : LONG_STEP;
    else
        p->long_sum -= average - value < LONG_STEP ? average - value : LONG_STEP;
    p->short_sum += value - p->short_sum / SHORT_COUNT;
    p->value[LAST] = value;
    p->value[SHORT] = p->short_sum / SHORT_COUNT;
    p->value[LONG] = p->long_sum / LONG_COUNT;
    p->value[SLOPE] = slope(level, p->level) * UNIT;
    p->level = level;
}

/* log2 of the error, in sixteenths, by straight lines between powers of two. */
static uint32_t expect(uint32_t smallest)
{
    enum { OFFSET = 6 * RANGE_PARTS };
    const uint32_t exponent = 31 - (uint32_t)__builtin_clz(smallest);
    return RANGE_PARTS * exponent + (RANGE_PARTS * smallest >> exponent) % RANGE_PARTS - OFFSET;
}

static void put(struct range_coder *c, struct range_table *t, const struct predictor *p,
                uint32_t level)
{
    const uint32_t smallest = smallest_error(p);
    const uint32_t prediction = predict(p, smallest);
    const int32_t difference = (int32_t)level - (int32_t)((prediction + UNIT / 2) / UNIT);
    const bool rounded_down = prediction % UNIT < UNIT / 2;
    range_coder_put(c, t, expect(smallest),
                    range_coder_interleave(rounded_down ? difference : -difference));
}

size_t level_code_write(const uint8_t *levels, uint32_t columns, uint8_t *into, size_t capacity)
{
    struct range_coder coder;
    struct range_table table;
    struct predictor predictor = {0};
    range_coder_init(&coder, into, capacity);
    range_coder_init_table(&table);
    for (uint32_t i = 0; i < columns; i++) {
        put(&coder, &table, &predictor, levels[i]);
        if (i == 0)
            start(&predictor, levels[i]);
        else
            learn(&predictor, levels[i]);
    }
    return range_coder_finish(&coder);
}
