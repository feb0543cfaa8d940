/* cpu_kernel.c - chooses a kernel for a size and prepares its window. */
#include "fft/cpu/spectrum/cpu_kernel.h"

#include <errno.h>

const struct kernel_ops *cpu_kernel_find(const struct kernel_ops *const *list, uint32_t n)
{
    while (*list && !(*list)->can(n))
        list++;
    return *list;
}

int cpu_kernel_init(struct kernel *k, const struct kernel_ops *const *list, uint32_t n,
                    enum fft_iq_format format)
{
    const struct kernel_ops *ops = cpu_kernel_find(list, n);
    if (!ops)
        return -ENOTSUP;
    *k = (struct kernel){.ops = ops, .n = n, .format = format};
    return k->ops->init(k);
}

int cpu_kernel_set_window(struct kernel *k, const float *window)
{
    const double scale = 1.0 / fft_iq_full_scale(k->format);

    k->window = cpu_arena_take(&k->memory, k->n * sizeof *k->window);
    if (!k->window)
        return -ENOMEM;
    for (uint32_t i = 0; i < k->n; i++)
        k->window[k->ops->window_at(k, i)] = (float)((double)window[i] * (i % 2 ? -scale : scale));
    return 0;
}

void cpu_kernel_finish(struct kernel *k)
{
    cpu_arena_free(&k->memory);
    *k = (struct kernel){0};
}
