/* qpu_board.c - reads the device tree's root, the peripherals' address, and the GPU's node. */
#include "fft/qpu/qpu_board.h"

#include <errno.h>
#include <string.h>

/* Raspberry Pi 4 and 5 have another GPU with another instruction set. The numbers 2708 to 2710 are
 * those of device trees before Linux 5. */
static const struct chip {
    const char *compatible, *board;
    uint32_t peripherals; /* 0: another GPU */
    bool first;           /* its ARM can access memory through VideoCore's L2 cache */
} chips[] = {
    {"brcm,bcm2835", "Raspberry Pi Zero or 1", 0x20000000, true},
    {"brcm,bcm2708", "Raspberry Pi Zero or 1", 0x20000000, true},
    {"brcm,bcm2836", "Raspberry Pi 2", 0x3f000000, false},
    {"brcm,bcm2709", "Raspberry Pi 2", 0x3f000000, false},
    {"brcm,bcm2837", "Raspberry Pi 3, Zero 2 or 2 (1.2)", 0x3f000000, false},
    {"brcm,bcm2710", "Raspberry Pi 3, Zero 2 or 2 (1.2)", 0x3f000000, false},
    {"brcm,bcm2711", "Raspberry Pi 4", 0, false},
    {"brcm,bcm2712", "Raspberry Pi 5", 0, false},
};

enum { MEMORY_DIRECT = 0x4, MEMORY_L2 = 0xc }; /* the firmware's allocation flags */
enum { DIRECT_OFFSET = 0x20000000 };
enum { ALIAS_BITS = 3 << 30, ALIAS_L2 = 1 << 30 }; /* of a bus address */

/* `list` is a device tree's list of strings, each terminated by 0. */
static bool list_has(const char *list, int size, const char *word)
{
    for (int at = 0; at < size; at += (int)strlen(list + at) + 1)
        if (!strcmp(list + at, word))
            return true;
    return false;
}

static const struct chip *find_chip(const struct qpu_system *os)
{
    char list[256];
    int size = os->read_file(os->self, "/proc/device-tree/compatible", list, sizeof list - 1);
    if (size <= 0)
        return NULL;
    list[size] = '\0';
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (list_has(list, size, chips[i].compatible))
            return &chips[i];
    return NULL;
}

/* Cell number `cell` of a property; `otherwise` if it is not there. */
static uint32_t read_cell(const struct qpu_system *os, const char *path, size_t cell,
                          uint32_t otherwise)
{
    uint8_t bytes[16];
    const uint8_t *at = bytes + 4 * cell;
    const int size = os->read_file(os->self, path, bytes, sizeof bytes);
    if (size < 0 || (size_t)size < 4 * cell + 4)
        return otherwise;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The ARM's address of bus address 0x7e000000: the second cell of the first range. */
static uint32_t read_peripherals(const struct qpu_system *os, uint32_t otherwise)
{
    return read_cell(os, "/proc/device-tree/soc/ranges", 1, otherwise);
}

/*
 * True if the ARM accesses memory through VideoCore's L2 cache. The firmware writes the bus address
 * of the ARM's memory to the third cell of vc_mem's registers: with the alias of the L2 cache on a
 * Pi 0 or 1, unless config.txt disables the cache for the ARM, and the uncached alias on later
 * boards. The chip decides where there is no such node.
 */
static bool arm_uses_l2(const struct qpu_system *os, const struct chip *chip)
{
    const uint32_t memory = read_cell(os, "/proc/device-tree/axi/vc_mem/reg", 2,
                                      chip->first ? (uint32_t)ALIAS_L2 : (uint32_t)ALIAS_BITS);
    return (memory & (uint32_t)ALIAS_BITS) == (uint32_t)ALIAS_L2;
}

static bool kernel_owns_gpu(const struct qpu_system *os)
{
    char status[16];
    int size = os->read_file(os->self, "/proc/device-tree/soc/v3d@7ec00000/status", status,
                             sizeof status - 1);
    if (size <= 0)
        return false;
    status[size] = '\0';
    return !strcmp(status, "okay") || !strcmp(status, "ok");
}

int qpu_board_find(const struct qpu_system *os, bool direct, struct qpu_board *out,
                   struct fft_reason why)
{
    const struct chip *chip = find_chip(os);
    if (!chip) {
        fft_reason_set(why, "this is no Raspberry Pi");
        return -ENODEV;
    }
    if (!chip->peripherals) {
        fft_reason_set(why, "a %s has another GPU; the cpu engine is faster there", chip->board);
        return -ENODEV;
    }
    if (kernel_owns_gpu(os)) {
        fft_reason_set(why,
                       "the kernel's display driver owns the GPU: take dtoverlay=vc4-kms-v3d or "
                       "vc4-fkms-v3d out of config.txt, and reboot");
        return -ENODEV;
    }
    if (direct && !chip->first) {
        fft_reason_set(why, "'direct' is for a Raspberry Pi Zero or 1");
        return -EINVAL;
    }
    out->name = chip->board;
    out->peripherals = read_peripherals(os, chip->peripherals);
    const bool l2 = arm_uses_l2(os, chip);
    out->alloc_flags = l2 && !direct ? MEMORY_L2 : MEMORY_DIRECT;
    out->arm_offset = l2 && direct ? DIRECT_OFFSET : 0;
    return 0;
}
