// SPDX-License-Identifier: BSD-3-Clause
// Ordinary C for a compiler: octets, words, long words, tables, structures, calls through pointers,
// recursion. Runs from reset without a C library and ends in SLEEP with I clear.
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 20
#endif

struct node {
    struct node *next;
    uint16_t key;
    uint8_t value[6];
};

static struct node nodes[24];
static uint8_t table[256];
static uint16_t (*volatile functions[2])(uint16_t, uint8_t);
volatile uint32_t digest;

static void mix_octets(uint8_t seed)
{
    for (uint16_t i = 0; i < 256; i++)
        table[i] = (uint8_t)(i * 7 + seed);
    uint8_t j = 0;
    for (uint16_t i = 0; i < 256; i++) {
        j = (uint8_t)(j + table[i] + (seed >> (i & 7)));
        uint8_t swapped = table[i];
        table[i] = table[j];
        table[j] = swapped;
    }
}

static uint32_t hash(const uint8_t *octets, uint16_t length, uint32_t state)
{
    while (length--) {
        state ^= *octets++;
        state = (state << 5 | state >> 27) + (state >> 9 ^ 0x9e3779b9);
    }
    return state;
}

static uint16_t reduce(uint16_t a, uint8_t b)
{
    uint16_t result = 0;
    while (b) {
        if (b & 1)
            result ^= a;
        a = (uint16_t)(a & 0x8000 ? a << 1 ^ 0x1021 : a << 1);
        b >>= 1;
    }
    return result;
}

static uint16_t join(uint16_t a, uint8_t b)
{
    return (uint16_t)(a + b * 3);
}

static __attribute__((noinline)) uint16_t descend(const struct node *node, uint8_t depth)
{
    if (!node || !depth)
        return 1;
    return (uint16_t)(node->key + node->value[depth & 3] +
                      descend(node->next, (uint8_t)(depth - 1)));
}

static void link_nodes(uint8_t round)
{
    for (uint8_t i = 0; i < 24; i++) {
        nodes[i].next = i ? &nodes[i - 1] : 0;
        nodes[i].key = functions[i & 1]((uint16_t)(i * 257u + round), table[i]);
        for (uint8_t k = 0; k < 6; k++)
            nodes[i].value[k] ^= table[(uint8_t)(i * k + round)];
    }
}

__attribute__((used, noreturn)) void run(void)
{
    functions[0] = reduce;
    functions[1] = join;
    uint32_t state = 1;
    for (uint16_t round = 0; round < ROUNDS; round++) {
        mix_octets((uint8_t)round);
        link_nodes((uint8_t)round);
        state = hash(table, sizeof table, state) + descend(&nodes[23], 20);
    }
    digest = state;
    __asm__ volatile("cli\n sleep");
    for (;;) {
    }
}

// Reset leaves SP at 0; R1 is 0 by the compilers' convention. SP becomes RAMEND.
__attribute__((used, naked, section(".text.start"))) void start(void)
{
    __asm__("eor r1, r1\n ldi r28, 0xff\n ldi r29, 0x21\n out 0x3e, r29\n out 0x3d, r28\n jmp run");
}
