/* SPDX-License-Identifier: BSD-3-Clause */
// clean: a network sorts with masks
// call: void sort_network(uint8_t key[4])
// secret: key
#include <stdint.h>

static void order(uint8_t *a, uint8_t *b)
{
    volatile uint16_t difference = (uint16_t)(*b - *a);
    volatile uint8_t mask = (uint8_t)(0u - (difference >> 15));
    uint8_t swap = (uint8_t)((*a ^ *b) & mask);
    *a ^= swap;
    *b ^= swap;
}

void sort_network(uint8_t key[4])
{
    order(&key[0], &key[1]);
    order(&key[2], &key[3]);
    order(&key[0], &key[2]);
    order(&key[1], &key[3]);
    order(&key[1], &key[2]);
}
