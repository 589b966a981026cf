/* SPDX-License-Identifier: BSD-3-Clause */
/* The CC1000 of the Mica2 as octet_radio.h wants it. */
#include "cc1000.h"
#include "cc1000_registers.h"
#include "cpu.h"
#include "octet_radio.h"
#include "pins.h"

static uint8_t output_power;
static volatile bool sends;
static volatile uint16_t overflows;

bool octet_radio_start(uint8_t power)
{
    LED_OUT |= LED_YELLOW | LED_GREEN | LED_RED; /* dark */
    LED_DIR |= LED_YELLOW | LED_GREEN | LED_RED;
    TCCR1B = TCCR1B_8;
    TIMSK |= TOIE1;
    output_power = power;
    cc1000_start();
    cc1000_write(CC1000_PA_POW, power);
    if (cc1000_read(CC1000_PA_POW) != power) { /* it keeps what it is told */
        return false;
    }
    cc1000_receive();
    return true;
}

void octet_radio_send(uint8_t first)
{
    sends = true;
    cc1000_transmit(output_power, first);
}

void octet_radio_listen(void)
{
    sends = false;
    cc1000_receive();
}

uint16_t octet_radio_level(void)
{
    return cc1000_rssi();
}

CPU_HANDLER(VECTOR_TIMER1_OVERFLOW)
{
    overflows++;
}

uint32_t octet_radio_now(void)
{
    cpu_irq_disable();
    uint16_t low = TCNT1, high = overflows;
    if ((TIFR & TOV1) != 0 && low < 0x8000u) { /* it overflowed before it was read */
        high++;
    }
    cpu_irq_enable();
    return (uint32_t)high << 16 | low;
}

CPU_HANDLER(VECTOR_SPI)
{
    const bool sent = sends;
    const uint8_t next = link_octet(cc1000_take());
    if (sent && sends) {
        cc1000_give(next);
    }
}
