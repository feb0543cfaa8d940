/* board.c - reads the device tree's root, the peripherals' address, and the GPU's node. */
#include "fft/qpu/board.h"

#include <errno.h>
#include <string.h>

/* The first three chips have VideoCore IV. Raspberry Pi 4 and 5 have another GPU with another
 * instruction set. */
static const struct chip {
    const char *compatible, *board;
    uint32_t peripherals; /* 0: another GPU */
    bool arm_uses_l2;     /* the ARM accesses memory through VideoCore's L2 cache */
} chips[] = {
    {"brcm,bcm2835", "Raspberry Pi Zero or 1", 0x20000000, true},
    {"brcm,bcm2836", "Raspberry Pi 2", 0x3f000000, false},
    {"brcm,bcm2837", "Raspberry Pi 3, Zero 2 or 2 (1.2)", 0x3f000000, false},
    {"brcm,bcm2711", "Raspberry Pi 4", 0, false},
    {"brcm,bcm2712", "Raspberry Pi 5", 0, false},
};

enum { MEMORY_DIRECT = 0x4, MEMORY_L2 = 0xc }; /* the firmware's allocation flags */
enum { DIRECT_OFFSET = 0x20000000 };

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

/* The ARM's address of bus address 0x7e000000: the second cell of the first range. */
static uint32_t read_peripherals(const struct qpu_system *os, uint32_t otherwise)
{
    uint8_t cells[8];
    int size = os->read_file(os->self, "/proc/device-tree/soc/ranges", cells, sizeof cells);
    if (size != sizeof cells)
        return otherwise;
    return (uint32_t)cells[4] << 24 | (uint32_t)cells[5] << 16 | (uint32_t)cells[6] << 8 | cells[7];
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
                   struct reason why)
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
    if (direct && !chip->arm_uses_l2) {
        fft_reason_set(why, "'direct' is for a Raspberry Pi Zero or 1");
        return -EINVAL;
    }
    out->name = chip->board;
    out->peripherals = read_peripherals(os, chip->peripherals);
    out->alloc_flags = chip->arm_uses_l2 && !direct ? MEMORY_L2 : MEMORY_DIRECT;
    out->arm_offset = direct ? DIRECT_OFFSET : 0;
    return 0;
}
