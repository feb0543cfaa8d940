/*
 * on_device.c - on_device PROGRAM...: runs each test program with only the CUDA engine, on the
 * device of this machine. Skipped (77) with the reason if there is none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fft/fft.h"

static int run(const char *program)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    const struct fft_engine_config config = {.name = "cuda"};
    struct fft_engine *e;
    char why[200];
    const int err = fft_engine_open(&e, &config, why, sizeof why);

    if (err < 0) {
        printf("%s%s\n", err == -ENODEV ? "SKIPPED: " : "", why);
        return err == -ENODEV ? 77 : 1;
    }
    printf("%s\n", fft_engine_describe(e));
    fflush(stdout);
    fft_engine_close(e);
    setenv("FFTD_TEST_ENGINES", "cuda", 1);
    for (int i = 1; i < argc; i++) {
        const int status = run(argv[i]);
        if (status != 0) {
            printf("%s: exit status %d\n", argv[i], status);
            return 1;
        }
    }
    return 0;
}
