/* opencl_profile.c - the table of simulated devices. */
#include "fft/opencl/opencl_profile.h"

#include <string.h>

#define KIB(x) ((uint64_t)(x) << 10)
#define MIB(x) ((uint64_t)(x) << 20)

/*
 * The Malis are as Arm's drivers report them (Midgard, Bifrost, Valhall): local memory is main
 * memory, and a group on Midgard has at most 256 work-items. pocl is PoCL on a two-core x86-64,
 * oclgrind the simulator's own device, nvidia an RTX 3060, h200 an H200.
 */
static const struct opencl_profile table[] = {
    {.name = "mali-t760",
     .vendor = "ARM",
     .type = OPENCL_GPU,
     .unified = true,
     .fp16 = true,
     .units = 4,
     .clock_mhz = 600,
     .max_group = 256,
     .local_bytes = 32 << 10,
     .cache_bytes = KIB(256),
     .memory_bytes = MIB(2048),
     .alloc_bytes = MIB(512)},
    {.name = "mali-t860",
     .vendor = "ARM",
     .type = OPENCL_GPU,
     .unified = true,
     .fp16 = true,
     .units = 4,
     .clock_mhz = 800,
     .max_group = 256,
     .local_bytes = 32 << 10,
     .cache_bytes = KIB(256),
     .memory_bytes = MIB(4096),
     .alloc_bytes = MIB(1024)},
    {.name = "mali-g52",
     .vendor = "ARM",
     .type = OPENCL_GPU,
     .unified = true,
     .fp16 = true,
     .units = 2,
     .clock_mhz = 850,
     .max_group = 384,
     .local_bytes = 32 << 10,
     .cache_bytes = KIB(512),
     .memory_bytes = MIB(4096),
     .alloc_bytes = MIB(4096)},
    {.name = "mali-g57",
     .vendor = "ARM",
     .type = OPENCL_GPU,
     .unified = true,
     .fp16 = true,
     .units = 4,
     .clock_mhz = 850,
     .max_group = 512,
     .local_bytes = 32 << 10,
     .cache_bytes = KIB(512),
     .memory_bytes = MIB(4096),
     .alloc_bytes = MIB(4096)},
    {.name = "mali-g77",
     .vendor = "ARM",
     .type = OPENCL_GPU,
     .unified = true,
     .fp16 = true,
     .units = 9,
     .clock_mhz = 850,
     .max_group = 1024,
     .local_bytes = 32 << 10,
     .cache_bytes = KIB(1024),
     .memory_bytes = MIB(8192),
     .alloc_bytes = MIB(8192)},
    {.name = "mali-g610",
     .vendor = "ARM",
     .type = OPENCL_GPU,
     .unified = true,
     .fp16 = true,
     .units = 4,
     .clock_mhz = 1000,
     .max_group = 1024,
     .local_bytes = 32 << 10,
     .cache_bytes = KIB(1024),
     .memory_bytes = MIB(8192),
     .alloc_bytes = MIB(8192)},
    {.name = "pocl",
     .vendor = "AuthenticAMD",
     .type = OPENCL_CPU,
     .unified = true,
     .fp64 = true,
     .units = 2,
     .clock_mhz = 2000,
     .max_group = 4096,
     .local_bytes = 2 << 20,
     .cache_bytes = MIB(2),
     .memory_bytes = MIB(8192),
     .alloc_bytes = MIB(2048)},
    {.name = "oclgrind",
     .vendor = "University of Bristol",
     .type = OPENCL_OTHER,
     .local_is_fast = true,
     .unified = true,
     .fp64 = true,
     .units = 1,
     .max_group = 1024,
     .local_bytes = 32 << 10,
     .cache_bytes = KIB(64),
     .memory_bytes = MIB(128),
     .alloc_bytes = MIB(128)},
    {.name = "nvidia",
     .vendor = "NVIDIA Corporation",
     .type = OPENCL_GPU,
     .local_is_fast = true,
     .fp64 = true,
     .units = 28,
     .clock_mhz = 1777,
     .max_group = 1024,
     .local_bytes = 48 << 10,
     .cache_bytes = KIB(784),
     .memory_bytes = MIB(12288),
     .alloc_bytes = MIB(3072)},
    {.name = "h200",
     .vendor = "NVIDIA Corporation",
     .type = OPENCL_GPU,
     .local_is_fast = true,
     .fp64 = true,
     .units = 132,
     .clock_mhz = 1980,
     .max_group = 1024,
     .local_bytes = 227 << 10,
     .local_reported = 48 << 10,
     .cache_bytes = MIB(4),
     .memory_bytes = MIB(143000),
     .alloc_bytes = MIB(35750)},
};

enum { PROFILES = sizeof table / sizeof table[0] };

uint32_t opencl_nvidia_local_bytes(uint32_t major, uint32_t minor)
{
    static const struct {
        uint32_t major, minor, kib;
    } known[] = {{7, 0, 96},  {7, 2, 96}, {7, 5, 64},  {8, 0, 163},  {8, 6, 99},
                 {8, 7, 163}, {8, 9, 99}, {9, 0, 227}, {10, 0, 227}, {12, 0, 99}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].major == major && known[i].minor == minor)
            return known[i].kib << 10;
    return 0;
}

/* On NVIDIA's devices many registers and few work-items are faster. The estimate for other devices
 * is conservative: it is not measured. */
uint32_t opencl_profile_registers(const struct opencl_profile *p)
{
    return p->registers ? p->registers : strstr(p->vendor, "NVIDIA") ? 255 : 128;
}

bool opencl_profile_find(const char *name, struct opencl_profile *out)
{
    for (uint32_t i = 0; i < PROFILES; i++) {
        if (strcmp(table[i].name, name) == 0) {
            *out = table[i];
            return true;
        }
    }
    return false;
}

const char *opencl_profile_name(uint32_t index)
{
    return index < PROFILES ? table[index].name : NULL;
}
