/* SPDX-License-Identifier: BSD-3-Clause */
// clean: stack that held a secret holds public data later, which decide
// call: uint8_t stack_reuse(const uint8_t key[8], const uint8_t data[8])
// secret: key
#include <stdint.h>

static __attribute__((noinline)) uint8_t fold(const uint8_t *from)
{
    volatile uint8_t copy[8];
    uint8_t sum = 0;
    for (uint8_t i = 0; i < 8; i++)
        copy[i] = from[i];
    for (uint8_t i = 0; i < 8; i++)
        sum ^= copy[i];
    return sum;
}

static __attribute__((noinline)) uint8_t most(const uint8_t *from)
{
    volatile uint8_t copy[8];
    uint8_t most = 0;
    for (uint8_t i = 0; i < 8; i++)
        copy[i] = from[i];
    for (uint8_t i = 0; i < 8; i++)
        if (copy[i] > most)
            most = copy[i];
    return most;
}

uint8_t stack_reuse(const uint8_t key[8], const uint8_t data[8])
{
    return (uint8_t)(fold(key) ^ most(data));
}
