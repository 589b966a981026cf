/* SPDX-License-Identifier: BSD-3-Clause */
/* Images `primitives-tab` and `primitives-small` encrypt a block repeatedly with AES-128, then
 * stop. They need only a CPU and memory: they set up no clock and use no peripheral except to hold
 * a watchdog. So they run in any simulator of the CPU. Known answer: one round of the loop on FIPS
 * 197 appendix C.1 gives its ciphertext. */
#include <wardmote/aes128.h>
#include "primitives.h"

/* Symbols for an observer: how often, the result, and where it ends. */
#define WATCHED __attribute__((used))
extern const volatile uint16_t primitives_count;
extern wm_block128 primitives_result;
_Noreturn void primitives_done(void);

WATCHED const volatile uint16_t primitives_count = 20000;
WATCHED wm_block128 primitives_result = {.octet = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                                   0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}};

WATCHED __attribute__((noinline)) _Noreturn void primitives_done(void)
{
    for (;;) {
        __asm__ volatile("");
    }
}

int main(void)
{
    static const uint8_t key[16] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                                    0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
    static wm_aes128 expanded;

    wm_aes128_expand(&expanded, key);
    for (uint16_t left = primitives_count; left != 0; left--) {
        primitives_encrypt(&expanded, &primitives_result);
    }
    primitives_done();
}
