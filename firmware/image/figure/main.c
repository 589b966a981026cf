/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `figure` counts the CPU cycles of one block under AES-128 with the chip's own timer, and says
 * them on a serial line, for ever: "aes128-tab 5432". The cost of looking at the timer twice is
 * taken away. The figure is in cycles, so it does not depend on how fast the oscillator of one chip
 * runs. */
#include <wardmote/aes128.h>
#include "node.h"

#define DIGITS 5u /* of a number of 16 bits */

static void say(const char *text)
{
    for (; *text != '\0'; text++) {
        node_say(*text);
    }
}

static void say_number(uint16_t number)
{
    char digits[DIGITS + 1];
    uint8_t first = DIGITS;
    digits[DIGITS] = '\0';
    do {
        first--;
        digits[first] = (char)('0' + number % 10u);
        number = (uint16_t)(number / 10u);
    } while (number != 0);
    say(&digits[first]);
}

static uint16_t cycles_of_block(const wm_aes128 *key, wm_block128 *block)
{
    const uint16_t begun = node_cycles();
    const uint16_t looked = node_cycles();
    wm_aes128_tab_encrypt(key, block);
    const uint16_t ended = node_cycles();
    return (uint16_t)(ended - looked - (looked - begun));
}

int main(void)
{
    static const uint8_t octets[16] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                                       0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
    static wm_aes128 key;
    static wm_block128 block;

    node_start();
    wm_aes128_expand(&key, octets);
    for (;;) {
        const uint16_t cycles = cycles_of_block(&key, &block);
        say("aes128-tab ");
        say_number(cycles);
        say("\r\n");
    }
}
