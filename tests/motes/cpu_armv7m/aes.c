/* SPDX-License-Identifier: BSD-3-Clause */
/* Encrypts one block BLOCKS times in a chain and ends at `done` with the first word of the result
 * in R0. */
#include <stdint.h>
#include <wardmote/aes128.h>

extern uint32_t stack_top[];
void start(void);
void done(uint32_t word);

__attribute__((section(".vectors"), used)) static const void *const vectors[2] = {
    stack_top, (const void *)start};

/* Volatile, so that the compiler cannot encrypt in advance. */
static volatile uint8_t key_octet = 0x2b;

__attribute__((noinline)) void done(uint32_t word)
{
    for (;;)
        __asm__ volatile("" ::"r"(word));
}

void start(void)
{
    wm_aes128 key;
    wm_block128 block = {0};
    uint8_t octets[16];
    key_octet = 0x2b; /* .data is not copied here */
    for (unsigned i = 0; i < 16; i++)
        octets[i] = (uint8_t)(key_octet + 7 * i);
    wm_aes128_expand(&key, octets);
    for (uint32_t i = 0; i < BLOCKS; i++)
        ENCRYPT(&key, &block);
    done(block.word[0]);
}

void *memcpy(void *to, const void *from, __SIZE_TYPE__ length)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    while (length--)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int value, __SIZE_TYPE__ length)
{
    uint8_t *t = to;
    while (length--)
        *t++ = (uint8_t)value;
    return to;
}
