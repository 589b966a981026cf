/* SPDX-License-Identifier: BSD-3-Clause */
/* USART1 as UART, 57 600 baud from SMCLK at 1 MiHz, whose fraction the modulation makes up. Octets
 * go out by interrupt from a ring. */
#include "hal.h"

#define RING 256u

static volatile uint8_t ring[RING];
static volatile uint8_t put_at, get_at, heard;
static volatile bool sending, asleep;
volatile bool line_comes;
volatile uint8_t line_count;

void line_start(void)
{
    P3SEL |= 0xC0;
    P3DIR |= 0x40;
    UCTL1 = SWRST;
    UCTL1 |= CHAR;
    UTCTL1 |= SSEL1 | URXSE;
    UBR01 = 18;
    UBR11 = 0;
    UMCTL1 = 0x84;
    ME2 |= UTXE1 | URXE1;
    UCTL1 &= ~SWRST;
    IE2 |= URXIE1;
}

void line_sleep(bool now)
{
    asleep = now;
}

bool line_busy(void)
{
    return !asleep || line_comes;
}

void sig_usart1_tx(void)
{
    if (get_at != put_at) {
        TXBUF1 = ring[get_at++];
    } else {
        IE2 &= ~UTXIE1;
        sending = false;
    }
}

/* Without URXIFG1 it was a start edge: URXSE is toggled, and the clock is needed from now on. */
void sig_usart1_rx(void)
{
    if (!(IFG2 & URXIFG1)) {
        UTCTL1 &= ~URXSE;
        UTCTL1 |= URXSE;
        line_edge();
        return;
    }
    line_comes = false;
    line_count++;
    heard = RXBUF1;
    task_post(TASK_LINE);
}

uint8_t line_heard(void)
{
    uint8_t octet = heard;
    heard = 0;
    return octet;
}

static void put(uint8_t octet)
{
    while ((uint8_t)(put_at + 1u) == get_at) { /* full: the handler makes room */
    }
    atomic_t before = atomic_begin();
    ring[put_at++] = octet;
    if (!sending) {
        sending = true;
        IFG2 |= UTXIFG1; /* as after a reset: the buffer is empty */
        IE2 |= UTXIE1;
    }
    atomic_end(before);
}

void say(const char *text)
{
    while (*text != 0) {
        put((uint8_t)*text++);
    }
}

void say_end(void)
{
    put('\n');
}

void say_number(const char *label, uint16_t n)
{
    uint32_t digits = to_decimal(n);
    bool seen = false;
    say(label);
    put(' ');
    for (int8_t at = 16; at >= 0; at -= 4) {
        uint8_t digit = (uint8_t)(digits >> at) & 0xFu;
        seen = seen || digit != 0 || at == 0;
        if (seen) {
            put('0' + digit);
        }
    }
    put(' ');
}

void say_hex(const char *label, const uint8_t *octets, uint8_t count)
{
    static const char digit[] = "0123456789abcdef";
    say(label);
    put(' ');
    while (count-- != 0) {
        put((uint8_t)digit[*octets >> 4]);
        put((uint8_t)digit[*octets++ & 0xF]);
    }
    put(' ');
}
