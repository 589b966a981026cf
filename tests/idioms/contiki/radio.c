/* SPDX-License-Identifier: BSD-3-Clause */
/* The RF core by its interrupts and the command strobe processor. */
#include <stdio.h>
#include "../frames.h"
#include "platform.h"

#define XREG(offset) REG(0x40088000 + (offset))
#define FRMFILT0 XREG(0x600)
#define SRCMATCH XREG(0x608)
#define FRMCTRL0 XREG(0x624)
#define FREQCTRL XREG(0x63C)
#define TXPOWER XREG(0x640)
#define FSMSTAT1 XREG(0x64C)
#define FIFOPCTRL XREG(0x650)
#define CCACTRL0 XREG(0x658)
#define RXFIFOCNT XREG(0x66C)
#define RFIRQM0 XREG(0x68C)
#define RFIRQM1 XREG(0x690)
#define RFERRM XREG(0x694)
#define RFDATA XREG(0x828)
#define RFERRF XREG(0x82C)
#define RFIRQF1 XREG(0x830)
#define RFIRQF0 XREG(0x834)
#define RFST XREG(0x838)
#define FIFO 0x80u
#define FIFOP 0x40u
#define RXOVERF 0x04u

enum { ISRXON = 0xE3, ISTXONCCA = 0xEA, ISFLUSHRX = 0xED, ISFLUSHTX = 0xEE };

bool radio_deaf;
volatile uint32_t radio_overflows;
uint8_t radio_acked, radio_heard;
uint16_t radio_ack_ticks[2] = {0xFFFF, 0};
static volatile uint32_t sent_at, received_at;
static uint16_t self;
static uint8_t sequence;

void rf_isr(void);
void rf_isr(void)
{
    uint32_t low = RFIRQF0, high = RFIRQF1;
    RFIRQF0 = ~low;
    RFIRQF1 = ~high;
    if (high & 2) {
        sent_at = rtimer_now();
    }
    if (low & 0x40) {
        received_at = rtimer_now();
    }
    process_poll(PROCESS_RADIO);
}

void rf_error_isr(void);
void rf_error_isr(void)
{
    if (RFERRF & RXOVERF) {
        radio_overflows++;
    }
    RFERRF = 0;
    process_poll(PROCESS_RADIO);
}

void radio_on(uint16_t address)
{
    self = address;
    REG(0x400D20A8) = 1; /* clock: running, asleep */
    REG(0x400D20AC) = 1;
    while (REG(0x400D20A8) != 1) {
    }
    CCACTRL0 = 0xF8;
    XREG(0x7E8) = 0x09;
    XREG(0x6C8) = 0x15;
    XREG(0x6B8) = 0x01;
    REG(0x400D6004) = 0x0B;
    FRMFILT0 = 0x0D;
    FRMCTRL0 = 0x60;
    SRCMATCH = 0;
    FIFOPCTRL = 0x7F;
    TXPOWER = 0xB6;
    FREQCTRL = 11 + (26 - 11) * 5;
    XREG(0x5C8) = 0x22;
    XREG(0x5CC) = 0x00;
    XREG(0x5D0) = address & 0xFF;
    XREG(0x5D4) = address >> 8;
    RFIRQM0 = 0x44; /* FIFOP, RXPKTDONE */
    RFIRQM1 = 0x02; /* TXDONE */
    RFERRM = 0x7F;
    nvic_enable(141);
    nvic_enable(142);
    RFST = ISFLUSHRX;
    RFST = ISRXON;
}

void radio_send(uint8_t number)
{
    uint8_t frame[RADIO_FRAME];
    sequence = number;
    radio_fill(frame, (uint8_t)self, number);
    RFST = ISFLUSHTX;
    RFDATA = RADIO_FRAME + 2;
    for (uint8_t i = 0; i < RADIO_FRAME; i++) {
        RFDATA = frame[i];
    }
    RFST = ISTXONCCA;
}

static void take(const uint8_t *frame, uint8_t length)
{
    if (self == 1 && radio_is_ack(frame, length, sequence)) {
        uint16_t ticks = (uint16_t)(received_at - sent_at);
        radio_acked++;
        radio_ack_ticks[0] = ticks < radio_ack_ticks[0] ? ticks : radio_ack_ticks[0];
        radio_ack_ticks[1] = ticks > radio_ack_ticks[1] ? ticks : radio_ack_ticks[1];
    } else if (radio_is(frame, length, radio_heard) && ++radio_heard == RADIO_FRAMES) {
        printf("heard %u\n", radio_heard);
        radio_heard = 0;
    }
}

static void drain(void)
{
    uint8_t frame[128];
    while ((FSMSTAT1 & (FIFO | FIFOP)) == (FIFO | FIFOP)) {
        uint8_t length = RFDATA & 0x7F;
        for (uint8_t i = 0; i < length; i++) {
            frame[i] = (uint8_t)RFDATA;
        }
        if (length >= 5 && (frame[length - 1] & 0x80)) {
            take(frame, length - 2);
        }
    }
    if ((FSMSTAT1 & (FIFO | FIFOP)) == FIFOP) {
        printf("overflow %lu holds %lu\n", radio_overflows, RXFIFOCNT);
        radio_recover();
    }
}

bool radio_run(pt *at)
{
    PT_BEGIN(at);
    for (;;) {
        PT_WAIT_UNTIL(at, !radio_deaf);
        drain();
        *at = 0;
        return false;
    }
    PT_END(at);
}
