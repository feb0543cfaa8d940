/* emulated_kernels.cpp - the document's kernels, for the emulator of CUDA kernels (emulate/cuda).
 */
#include "emulate/cuda/entry.h"
#include "studies/cuda_3d/kernels/args.h"

/* clang-format off */
#define STUDY_KERNELS(each)                                                                        \
    each("dit128", dit128_thread, study_rows_args)                                                 \
    each("dit128", dit128_h1, study_rows_args)                                                     \
    each("dit128", dit128_h2, study_rows_args)                                                     \
    each("dit128", dit128_h4, study_rows_args)                                                     \
    each("dit128", dit128_h8, study_rows_args)                                                     \
    each("dit128", dit128_h16, study_rows_args)                                                    \
    each("dit128", dit128_h32, study_rows_args)                                                    \
    each("dit128", dit128_h4_fast, study_rows_args)                                                \
    each("dit128", dit128_h4_frequency, study_rows_args)                                           \
    each("dit128", dit128_h4_256, study_rows_args)                                                 \
    each("dit128", dit128_h4_512, study_rows_args)                                                 \
    each("dit128", dit128_h4_1024, study_rows_args)                                                \
    each("dit128", dit128_h4_b12, study_rows_args)                                                 \
    each("dit128", dit128_h4_b16, study_rows_args)                                                 \
    each("dit128", dit128_h8_b8, study_rows_args)                                                  \
    each("dit128", dit128_h8_b12, study_rows_args)                                                 \
    each("dit128", dit128_h8_b16, study_rows_args)                                                 \
    each("dit128", dit128_h16_b4, study_rows_args)                                                 \
    each("dit128", dit128_h16_b6, study_rows_args)                                                 \
    each("dit128", dit128_h16_b8, study_rows_args)                                                 \
    each("dit128", dit128_shuffle_h1, study_rows_args)                                             \
    each("dit128", dit128_shuffle_h4, study_rows_args)                                             \
    each("ahead128", dit128_ahead, study_rows_args)                                                \
    each("ahead128", dit128_rest_ahead, study_rows_args)                                           \
    each("ahead128", dit128_rest, study_rows_args)                                                 \
    each("permute", permute, study_permute_args)                                                   \
    each("tiles", along128_e4, pass_args)                                                          \
    each("tiles", along128_e8, pass_args)                                                          \
    each("tiles", along128_e16, pass_args)                                                         \
    each("tiles", along128_e32, pass_args)                                                         \
    each("tiles", transpose_128, pass_args)                                                        \
    each("tiles", transpose_256, pass_args)                                                        \
    each("tiles", transpose_512, pass_args)
/* clang-format on */

#define DECLARE_KERNEL(module, name, args) DECLARE(name, args)
STUDY_KERNELS(DECLARE_KERNEL)

namespace
{

const emulate_entry entries[] = {STUDY_KERNELS(ENTRY)};
const emulate_table table(entries, sizeof entries / sizeof entries[0]);

} // namespace
