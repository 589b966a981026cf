/* SPDX-License-Identifier: BSD-3-Clause */
#include "serial.h"
#include "tick.h"
#include "usart.h"

/* A ring of SERIAL_ROOM octets: one side writes, the other reads. */
typedef struct ring {
    volatile uint8_t octet[SERIAL_ROOM];
    volatile uint8_t put, got;
} ring;

static ring in, out;

static uint8_t held(const ring *of)
{
    return (uint8_t)(of->put - of->got);
}

static void put(ring *to, uint8_t octet)
{
    to->octet[to->put % SERIAL_ROOM] = octet;
    to->put++;
}

static uint8_t get(ring *from)
{
    const uint8_t octet = from->octet[from->got % SERIAL_ROOM];
    from->got++;
    return octet;
}

void serial_start(void)
{
    usart_start();
}

uint8_t serial_have(void)
{
    return held(&in);
}

void serial_take(uint8_t *to, uint8_t len)
{
    for (; len != 0; len--) {
        *to++ = get(&in);
    }
}

void serial_give(const uint8_t *from, uint8_t len)
{
    while (SERIAL_ROOM - held(&out) < len) {
    }
    for (; len != 0; len--) {
        put(&out, *from++);
    }
    usart_send();
}

bool usart_next(uint8_t *octet)
{
    const bool some = held(&out) != 0;
    if (some) {
        *octet = get(&out);
    }
    return some;
}

/* What comes although nobody has asked for it is lost. */
void usart_take(uint8_t octet)
{
    if (held(&in) < SERIAL_ROOM) {
        put(&in, octet);
    }
    tick_wake();
}
