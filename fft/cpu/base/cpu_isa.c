/* cpu_isa.c - the table of instruction sets, and detection of those that this machine has. */
#include "fft/cpu/base/cpu_isa.h"

#include <string.h>
#ifdef __arm__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#define DECLARE_ISA(isa)                                                                           \
    extern const struct kernel_ops cpu_columns_##isa;                                              \
    extern const struct lanes_ops cpu_lanes_ops_##isa;                                             \
    void cpu_density_##isa(const struct density_map *map, const float *powers, void *scratch,      \
                           void *levels);                                                          \
    void cpu_density_count_##isa(const struct density_map *map, const void *levels,                \
                                 uint32_t frames, uint32_t *hits);

static bool always(void)
{
    return true;
}

#ifdef __x86_64__
DECLARE_ISA(sse2)

static const struct kernel_ops *const kernels_sse2[] = {&cpu_columns_sse2, NULL};
static const struct lanes_ops *const transforms_sse2[] = {&cpu_lanes_ops_sse2, NULL};

#ifdef CPU_WIDE_KERNELS
DECLARE_ISA(avx512)
DECLARE_ISA(avx2)

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/* AVX2 for frames of 64 and 128, which are shorter than a leaf of 16 lanes, and for transforms so
 * short that half of 16 lanes would be idle. */
static const struct kernel_ops *const kernels_avx512[] = {&cpu_columns_avx512, &cpu_columns_avx2,
                                                          NULL};
static const struct kernel_ops *const kernels_avx2[] = {&cpu_columns_avx2, NULL};

static const struct lanes_ops *const transforms_avx512[] = {&cpu_lanes_ops_avx512,
                                                            &cpu_lanes_ops_avx2, NULL};
static const struct lanes_ops *const transforms_avx2[] = {&cpu_lanes_ops_avx2, NULL};
#endif

static const struct cpu_isa isas[] = {
#ifdef CPU_WIDE_KERNELS
    {"avx512", "AVX-512", has_avx512, kernels_avx512, cpu_density_avx512, cpu_density_count_avx512,
     transforms_avx512},
    {"avx2", "AVX2", has_avx2, kernels_avx2, cpu_density_avx2, cpu_density_count_avx2,
     transforms_avx2},
#endif
    {"sse2", "SSE2", always, kernels_sse2, cpu_density_sse2, cpu_density_count_sse2,
     transforms_sse2},
};
#elif defined __aarch64__
DECLARE_ISA(neon)

static const struct kernel_ops *const kernels_neon[] = {&cpu_columns_neon, NULL};
static const struct lanes_ops *const transforms_neon[] = {&cpu_lanes_ops_neon, NULL};

static const struct cpu_isa isas[] = {
    {"neon", "NEON", always, kernels_neon, cpu_density_neon, cpu_density_count_neon,
     transforms_neon},
};
#else
DECLARE_ISA(generic)

static const struct kernel_ops *const kernels_generic[] = {&cpu_columns_generic, NULL};
static const struct lanes_ops *const transforms_generic[] = {&cpu_lanes_ops_generic, NULL};

#ifdef __arm__
DECLARE_ISA(neon)

static const struct kernel_ops *const kernels_neon[] = {&cpu_columns_neon, NULL};
static const struct lanes_ops *const transforms_neon[] = {&cpu_lanes_ops_neon, NULL};

/* With fused multiply-add, which Cortex-A8 and A9 lack. */
static bool has_neon(void)
{
    const unsigned long needed = HWCAP_NEON | HWCAP_VFPv4;
    return (getauxval(AT_HWCAP) & needed) == needed;
}
#endif

static const struct cpu_isa isas[] = {
#ifdef __arm__
    {"neon", "NEON with VFPv4", has_neon, kernels_neon, cpu_density_neon, cpu_density_count_neon,
     transforms_neon},
#endif
    {"generic", "generic code", always, kernels_generic, cpu_density_generic,
     cpu_density_count_generic, transforms_generic},
};
#endif

const struct cpu_isa *cpu_isa_at(size_t i)
{
    return i < sizeof isas / sizeof isas[0] ? &isas[i] : NULL;
}

const struct cpu_isa *cpu_isa_find(const char *name, bool *known)
{
    const bool any = !name || strcmp(name, "auto") == 0;

    *known = any;
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        if (!any && strcmp(name, isas[i].name) != 0)
            continue;
        *known = true;
        if (isas[i].available())
            return &isas[i];
    }
    return NULL;
}
