/* SPDX-License-Identifier: BSD-3-Clause */
/* USART1 from SMCLK, which is the CPU's clock. The handlers are in line_telosb_isr.S. */
#include "board.h"
#include "cpu.h"
#include "line.h"
#include "registers.h"

#define P3_UART_PINS 0xC0u
#define LEAST_DIVIDER 60u
#define IN 256u /* what an octet counts */
#define OUT 2048u

void line_on_empty(void);
void line_on_octet(void);

/* Which bits of eight are longer by a period, by how many of them. */
static const uint8_t modulation[8] = {0x00, 0x08, 0x88, 0x4A, 0x55, 0x6D, 0xDD, 0xEF};

static uint8_t in[IN], out[OUT];
static volatile uint8_t in_put, in_got;
static volatile uint16_t out_put, out_got; /* one place of `out` stays free */
static volatile uint16_t overruns;

bool line_start(uint32_t clock_hz, uint32_t baud)
{
    if (baud == 0 || clock_hz / baud < LEAST_DIVIDER || clock_hz / baud > UINT16_MAX) {
        return false;
    }
    uint16_t divider = (uint16_t)(clock_hz / baud);
    uint8_t eighths = (uint8_t)((8u * (clock_hz % baud) + baud / 2u) / baud);
    divider = (uint16_t)(divider + eighths / 8u);
    P3SEL |= P3_UART_PINS;
    U1CTL = SWRST;
    U1CTL = SWRST | CHAR;
    U1TCTL = SSEL_SMCLK;
    U1BR0 = (uint8_t)divider;
    U1BR1 = (uint8_t)(divider >> 8);
    U1MCTL = modulation[eighths % 8u];
    ME2 |= UTXE1 | URXE1;
    U1CTL = CHAR;
    IE2 |= URXIE1;
    return true;
}

bool line_waits(void)
{
    return in_put != in_got;
}

uint8_t line_take(void)
{
    uint8_t octet = in[in_got];
    in_got++;
    return octet;
}

uint16_t line_room(void)
{
    return (uint16_t)(OUT - 1u - (uint16_t)(out_put - out_got) % OUT);
}

void line_put(uint8_t octet)
{
    out[out_put % OUT] = octet;
    out_put++;
    uint16_t state = cpu_irq_save();
    if ((IE2 & UTXIE1) == 0) { /* the handler took the flag when it had no octet */
        IFG2 |= UTXIFG1;
        IE2 |= UTXIE1;
    }
    cpu_irq_restore(state);
}

uint16_t line_overruns(void)
{
    return overruns;
}

void line_on_empty(void)
{
    if (out_got == out_put) {
        IE2 &= (uint8_t)~UTXIE1;
        return;
    }
    U1TXBUF = out[out_got % OUT];
    out_got++;
}

void line_on_octet(void)
{
    bool lost = (U1RCTL & OE) != 0;
    in[in_put] = U1RXBUF;
    if ((uint8_t)(in_put + 1u) == in_got) {
        lost = true;
    } else {
        in_put++;
    }
    overruns = (uint16_t)(overruns + lost);
}
