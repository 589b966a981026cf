/* SPDX-License-Identifier: BSD-3-Clause */
/* A Mica2 that sends one packet or waits for one: preamble, sync word, length, payload. The test
 * writes `node` before the program runs. */
#include <stdint.h>
#include "cc1000.h"
#include "cpu.h"
#include "pins.h"

enum { PREAMBLE = 8, PAYLOAD = 20, HEAD = PREAMBLE + 3, FLUSH = 2 };

struct node {
    uint8_t sends; /* 1: sends PAYLOAD octets */
    uint8_t pa_pow;
    uint8_t pause_20ms; /* before it sends */
    uint8_t done;       /* 1: sent, or received */
    uint8_t octets[PAYLOAD];
    uint8_t shift; /* of the received octets against its own */
    uint8_t calibration;
    uint16_t quiet, loud; /* RSSI before the packet, and within it */
};
/* Not zeroed by the start-up code: the test writes its fields before. */
volatile struct node node __attribute__((section(".noinit")));

static volatile uint8_t at;
static uint16_t window;
static uint8_t previous, found;

static void send_next(void)
{
    uint8_t place = at++;
    if (place < PREAMBLE) {
        cc1000_give(0xAA);
    } else if (place < PREAMBLE + 2) {
        cc1000_give(place == PREAMBLE ? 0x33 : 0xCC);
    } else if (place < HEAD) {
        cc1000_give(PAYLOAD);
    } else if (place < HEAD + PAYLOAD) {
        cc1000_give(node.octets[place - HEAD]);
    } else {
        cc1000_give(0);
        node.done = place >= HEAD + PAYLOAD + FLUSH;
    }
}

static void take_bits(uint8_t octet)
{
    if (!found) {
        for (uint8_t bit = 0; bit < 8; bit++) {
            window = (uint16_t)(window << 1 | (octet >> (7 - bit) & 1));
            if (window == 0x33CC) {
                found = 1;
                node.shift = (uint8_t)((bit + 1) & 7);
                at = node.shift == 0 ? 0 : 0xFF;
                break;
            }
        }
        previous = octet;
        return;
    }
    uint8_t value = (uint8_t)((uint16_t)(previous << 8 | octet) >> (8 - node.shift));
    if (node.shift == 0) {
        value = octet;
    }
    previous = octet;
    if (at == 0xFF || at == 0) {
        at = 1; /* the length */
        found = value == PAYLOAD;
        return;
    }
    node.octets[at++ - 1] = value;
    node.done = at == PAYLOAD + 1;
}

CPU_HANDLER(VECTOR_SPI)
{
    uint8_t octet = cc1000_take();
    if (node.done) {
        return;
    }
    if (node.sends) {
        send_next();
    } else {
        take_bits(octet);
    }
}

int main(void)
{
    cc1000_start();
    node.calibration = cc1000_read(0x0C);
    cc1000_receive();
    CPU_WAIT_US(2000);
    node.quiet = cc1000_rssi();
    if (node.sends) {
        for (uint8_t i = 0; i < node.pause_20ms; i++) {
            CPU_WAIT_US(20000);
        }
        cc1000_transmit(node.pa_pow, 0xAA);
    }
    cpu_irq_enable();
    while (!node.done) {
        if (!node.sends && found) {
            node.loud = cc1000_rssi();
        }
        cpu_irq_disable();
        if (!node.done) {
            cpu_sleep(SLEEP_IDLE);
        }
        cpu_irq_enable();
    }
    cpu_irq_disable();
    cc1000_off();
    cpu_stop();
}
