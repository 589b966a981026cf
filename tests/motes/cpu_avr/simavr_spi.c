// SPDX-License-Identifier: BSD-3-Clause
// Drives the SPI of an AVR in libsimavr, as slave. Compiled by the tests into a temporary folder;
// nothing of ours links with it.
//
//   simavr_spi MCU IMAGE OCTETS PERIOD GIVEN SAVED   runs to SLEEP with I clear. From when the SPI
//                                                    is on, an octet comes in every PERIOD cycles;
//                                                    what goes out is written to GIVEN, and the data
//                                                    space at the end to SAVED
#include <simavr/avr_spi.h>
#include <simavr/sim_avr.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPCR_AT = 0x2D, SPE_BIT = 0x40, NAMELESS = 0 };

static void give(struct avr_irq_t *irq, uint32_t octet, void *file)
{
    (void)irq;
    fputc((int)(octet & 0xFF), file);
}

static FILE *opened(const char *path, const char *how)
{
    FILE *file = fopen(path, how);
    if (!file)
        exit(2);
    return file;
}

int main(int argc, char **argv)
{
    avr_t *avr = argc == 7 ? avr_make_mcu_by_name(argv[1]) : NULL;
    if (!avr || avr_init(avr))
        return 2;
    avr->log = LOG_ERROR;
    avr->codeend = avr->flashend;
    FILE *image = opened(argv[2], "rb"), *octets = opened(argv[3], "rb");
    FILE *given = opened(argv[5], "wb"), *saved = opened(argv[6], "wb");
    if (!fread(avr->flash, 1, avr->flashend + 1, image))
        return 2;
    avr_irq_t *lines = avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(NAMELESS), SPI_IRQ_INPUT);
    avr_irq_register_notify(lines + SPI_IRQ_OUTPUT, give, given);
    avr_cycle_count_t period = strtoul(argv[4], NULL, 10), next = period;
    while (avr_run(avr) < cpu_Done) {
        if (!(avr->data[SPCR_AT] & SPE_BIT)) {
            next = avr->cycle + period;
        } else if (avr->cycle >= next) {
            int octet = fgetc(octets);
            if (octet == EOF)
                return 3;
            avr_raise_irq(lines, (uint32_t)octet);
            next += period;
        }
    }
    return avr->state != cpu_Done || fclose(given) ||
           fwrite(avr->data, 1, avr->ramend + 1, saved) != avr->ramend + 1u || fclose(saved);
}
