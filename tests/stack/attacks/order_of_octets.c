/* SPDX-License-Identifier: BSD-3-Clause */
/* On a machine of any order of octets every form of AES gives the example of FIPS 197, appendix C.1,
 * and goes back. */
#include "attack.h"
#include <wardmote/aes128.h>

static const uint8_t key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                  0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF};
static const uint8_t secured[16] = {0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30,
                                    0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5, 0x5A};

/* The forms behind one interface: any of them encrypts, and decrypts if it can. */
static void check(const wm_cipher *cipher, const void *schedule)
{
    wm_block128 block;

    memcpy(block.octet, plain, sizeof plain);
    cipher->ops->encrypt(schedule, &block);
    HOLDS(memcmp(block.octet, secured, sizeof secured) == 0);
    if (cipher->ops->decrypt != NULL) {
        cipher->ops->decrypt(schedule, &block);
        HOLDS(memcmp(block.octet, plain, sizeof plain) == 0);
    }
}

int main(void)
{
    wm_aes128_tab_key tab;
    wm_aes128_tab_both_key tab_both;
    wm_aes128_fix_key fix;
    wm_aes128_small_key small, small_both;

    wm_aes128_tab_init(&tab, key);
    wm_aes128_tab_init_both(&tab_both, key);
    wm_aes128_fix_init(&fix, key);
    wm_aes128_small_init(&small, key);
    wm_aes128_small_init_both(&small_both, key);
    check(&tab.cipher, &tab.schedule);
    check(&tab_both.cipher, &tab_both.schedule);
    check(&fix.cipher, &fix.schedule);
    check(&small.cipher, &small.schedule);
    check(&small_both.cipher, &small_both.schedule);
    return 0;
}
