# SPDX-License-Identifier: BSD-3-Clause
"""Functions to measure: some keep their secrets, some do not, some do what no function may."""

from wardmote.measurements.function.rows import MeasureRow

SOURCE = """#include <stdint.h>
static const uint8_t box[256] = {7, 3, 1, 9, 200, 13, 77, 5};
uint8_t fold(const uint8_t key[16], uint8_t block[16])
{
    uint8_t all = 0;
    for (uint8_t i = 0; i < 16; i++) {
        block[i] = (uint8_t)(block[i] + (key[i] ^ i));
        all |= block[i];
    }
    return all;
}
int compare(const uint8_t tag[8], const uint8_t want[8])
{
    for (uint8_t i = 0; i < 8; i++)
        if (tag[i] != want[i]) /* the branch */
            return 0;
    return 1;
}
uint8_t look(const uint8_t key[4])
{
    uint8_t sum = 0;
    for (uint8_t i = 0; i < 4; i++)
        sum ^= box[key[i]]; /* the index */
    return sum;
}
uint32_t divide(uint32_t secret, uint32_t by)
{
    volatile uint32_t ratio = secret / by; /* the division */
    return ratio;
}
uint32_t sum(const uint8_t *p, uint16_t n)
{
    uint32_t all = 0;
    while (n--)
        all += *p++;
    return all;
}
uint16_t spin(uint16_t n)
{
    volatile uint16_t kept = n;
    while (kept == n) {
    }
    return kept;
}
void poke(uint16_t n) { *(volatile uint16_t *)(uintptr_t)0x0C00 = n; }
void reach(uint16_t n) { *(volatile uint8_t *)(uintptr_t)0x3F00 = (uint8_t)n; }
uint16_t deep(uint16_t n)
{
    volatile uint16_t kept[40];
    kept[n % 40] = n;
    return n ? (uint16_t)(deep((uint16_t)(n - 1)) + kept[n % 40]) : 0;
}
void over(uint8_t block[4]) { block[4] ^= 1; }
void far_over(uint8_t block[4])
{
    for (uint8_t i = 4; i < 40; i++)
        block[i] ^= 1;
}
static uint8_t hidden(uint8_t n) { return (uint8_t)(n + 1); }
uint16_t width(uint8_t n) { return (uint16_t)(n + sizeof(int)); }
uint16_t count(void)
{
    static uint16_t calls = 40;
    return ++calls;
}
"""


def line_of(text: str) -> int:
    """The line of the source that holds `text`."""
    return next(number for number, line in enumerate(SOURCE.splitlines(), 1) if text in line)


def verdicts(row: MeasureRow) -> tuple[bool | None, ...]:
    """What a measurement says of constant time: of all of it, of cycles, branches and addresses."""
    return row.constant_time, row.constant_cycles, row.no_secret_branch, row.no_secret_address
