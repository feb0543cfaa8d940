/* condition_list.c - the conditions, in alphabetical order. A new one is its file and one row. */
#include "daemon/trigger/condition/condition.h"

extern const struct condition_ops condition_calendar;
extern const struct condition_ops condition_density;
extern const struct condition_ops condition_external;
extern const struct condition_ops condition_level;
extern const struct condition_ops condition_mask;
extern const struct condition_ops condition_measure;
extern const struct condition_ops condition_power;

const struct condition_ops *const condition_list[] = {
    &condition_calendar, &condition_density, &condition_external, &condition_level,
    &condition_mask,     &condition_measure, &condition_power,
};
const size_t condition_count = sizeof condition_list / sizeof condition_list[0];
