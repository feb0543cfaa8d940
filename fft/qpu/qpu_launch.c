/* qpu_launch.c - runs one launch at a time and keeps each launch's result for its owner. */
#include "fft/qpu/qpu_launch.h"

int qpu_launch_wait(struct qpu_device *d, struct qpu_launch *launch, int timeout_ms)
{
    if (launch->running) {
        const int ended = d->ops->wait(d, timeout_ms);
        if (ended == 0)
            return 0;
        launch->running = false;
        launch->result = ended < 0 ? ended : 0;
        d->running = NULL;
    }
    return launch->result < 0 ? launch->result : 1;
}

int qpu_launch_start(struct qpu_device *d, struct qpu_launch *launch)
{
    if (d->running)
        qpu_launch_wait(d, d->running, -1);
    launch->result = d->ops->start(d, launch);
    launch->running = launch->result == 0;
    d->running = launch->running ? launch : NULL;
    return launch->result;
}
