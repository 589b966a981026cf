// SPDX-License-Identifier: BSD-3-Clause
// Runs raw program memory in libsimavr, a simulator nobody here wrote, until the program counter is
// END: prints the
// processor time of the emulation alone in seconds, and OCTETS octets of data space from RESULT on.
// `make bench`
// compiles it when it runs; nothing of ours links with it.
//
//   run_in_simavr MCU IMAGE END RESULT OCTETS
#include <simavr/sim_avr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    avr_t *avr = argc == 6 ? avr_make_mcu_by_name(argv[1]) : NULL;
    if (!avr || avr_init(avr))
        return 2;
    FILE *image = fopen(argv[2], "rb");
    if (!image || !fread(avr->flash, 1, avr->flashend + 1, image))
        return 2;
    fclose(image);
    avr->log = LOG_ERROR;
    avr->codeend = avr->flashend;
    avr_flashaddr_t end = (avr_flashaddr_t)strtoul(argv[3], NULL, 0);
    unsigned long result = strtoul(argv[4], NULL, 0), octets = strtoul(argv[5], NULL, 0);
    double begun = now();
    while (avr->pc != end) {
        int state = avr_run(avr);
        if (state == cpu_Crashed || state == cpu_Done)
            return 3;
    }
    printf("%.6f ", now() - begun);
    for (unsigned long i = result; i < result + octets && i <= avr->ramend; i++)
        printf("%02x", avr->data[i]);
    printf("\n");
    return 0;
}
