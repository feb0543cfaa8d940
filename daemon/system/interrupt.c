/* interrupt.c - a flag that signals set. */
#include "daemon/system/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool requested;
static volatile sig_atomic_t caught;

void interrupt_request(void)
{
    atomic_store(&requested, true);
}

bool interrupt_requested(void)
{
    return atomic_load(&requested);
}

int interrupt_signal(void)
{
    return caught;
}

static void on_signal(int number)
{
    caught = number;
    interrupt_request();
}

void interrupt_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}
