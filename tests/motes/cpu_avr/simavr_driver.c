// SPDX-License-Identifier: BSD-3-Clause
// Drives libsimavr in lock-step. Compiled by the tests into a temporary folder; nothing of ours
// links with it.
//
//   simavr_driver MCU IMAGE                        runs to SLEEP with I clear, prints the cycles
//   simavr_driver MCU IMAGE SAVED                  the same, and saves the data space
//   simavr_driver MCU IMAGE DATA N RECORDS SAVED   executes N instructions, writes RECORDS in the
//                                                  form of `bare-run avr`
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(uint8_t *to, size_t room, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || !fread(to, 1, room, file))
        exit(2);
    fclose(file);
}

static int run_to_sleep(avr_t *avr)
{
    while (avr_run(avr) < cpu_Done) {
    }
    printf("cycles %llu\n", (unsigned long long)avr->cycle);
    return avr->state == cpu_Done ? 0 : 3;
}

static int save(avr_t *avr, const char *path)
{
    FILE *saved = fopen(path, "wb");
    return !saved || fwrite(avr->data, 1, avr->ramend + 1, saved) != avr->ramend + 1u ||
           fclose(saved);
}

static void record(avr_t *avr, FILE *file)
{
    uint64_t cycles = avr->cycle;
    READ_SREG_INTO(avr, avr->data[R_SREG]);
    fwrite(&cycles, 8, 1, file);
    fwrite(&avr->pc, 4, 1, file);
    fwrite(avr->data + R_SPL, 3, 1, file); // SPL, SPH, SREG
    fwrite(avr->data + avr->rampz, 1, 1, file);
    fwrite(avr->data, 32, 1, file);
}

int main(int argc, char **argv)
{
    avr_t *avr = argc == 3 || argc == 4 || argc == 7 ? avr_make_mcu_by_name(argv[1]) : NULL;
    if (!avr || avr_init(avr))
        return 2;
    avr->log = LOG_ERROR;
    avr->codeend = avr->flashend;
    fill(avr->flash, avr->flashend + 1, argv[2]);
    if (argc == 3)
        return run_to_sleep(avr);
    if (argc == 4)
        return run_to_sleep(avr) || save(avr, argv[3]);
    fill(avr->data, avr->ramend + 1, argv[3]);
    SET_SREG_FROM(avr, avr->data[R_SREG]);
    FILE *records = fopen(argv[5], "wb");
    if (!records)
        return 2;
    for (long n = atol(argv[4]); n > 0; n--) {
        avr->run_cycle_count = avr->run_cycle_limit =
            1; // avr_run_one goes on while it has cycles left
        avr->pc = avr_run_one(avr);
        if (avr->state == cpu_Crashed)
            return 3;
        avr->state = cpu_Running; // SLEEP is one instruction here
        record(avr, records);
    }
    return fclose(records) || save(avr, argv[6]);
}
