/* SPDX-License-Identifier: BSD-3-Clause */
/* M25P80: wake, erase a sector, write a page, read it in pieces over several tasks while it stays
 * selected, deep power-down. */
#include "hal.h"

#define SELECT (P4OUT &= ~0x10)
#define RELEASE (P4OUT |= 0x10)
#define PIECE 32u
#define PAGE 256u
#define SECTOR 5u

uint16_t flash_sum, flash_polls;
uint8_t flash_signature;
static uint8_t page[PAGE];
static uint16_t at;
static action *done;

static void command(uint8_t octet)
{
    SELECT;
    bus_exchange(octet);
    RELEASE;
}

static void addressed(uint8_t octet)
{
    SELECT;
    bus_exchange(octet);
    bus_exchange(SECTOR);
    bus_exchange(0);
    bus_exchange(0);
}

static bool writes(void)
{
    SELECT;
    bus_exchange(0x05);
    uint8_t status = bus_exchange(0);
    RELEASE;
    return (status & 1u) != 0;
}

static void finish(void)
{
    RELEASE;
    command(0xB9);
    bus_release(BUS_FLASH);
    flash_sum = sum_octets(page, PAGE);
    done();
}

static void piece(void)
{
    for (uint8_t i = 0; i < PIECE; i++) {
        page[at++] = bus_exchange(0);
    }
    if (at == PAGE) {
        finish();
    } else {
        task_post(TASK_CHUNK);
    }
}

static void program(void)
{
    command(0x06);
    addressed(0x02);
    for (uint16_t i = 0; i < PAGE; i++) {
        bus_exchange((uint8_t)(mul_u16(i, 73) >> 3));
    }
    RELEASE;
    while (writes()) {
    }
    at = 0;
    addressed(0x03);
    task_is(TASK_CHUNK, piece);
    task_post(TASK_CHUNK);
}

static void wait(void);

static void poll(void)
{
    flash_polls++;
    if (writes()) {
        bus_release(BUS_FLASH);
        timer_once(TIMER_STEP, 10, wait);
    } else {
        program();
    }
}

static void wait(void)
{
    bus_request(BUS_FLASH, poll);
}

static void erase(void)
{
    SELECT;
    bus_exchange(0xAB);
    for (uint8_t i = 0; i < 3; i++) {
        bus_exchange(0);
    }
    flash_signature = bus_exchange(0);
    RELEASE;
    for (volatile uint8_t left = 60; left != 0; left--) { /* 30 us and more */
    }
    command(0x06);
    addressed(0xD8);
    RELEASE;
    bus_release(BUS_FLASH);
    timer_once(TIMER_STEP, 10, wait);
}

void flash_test(action *then)
{
    done = then;
    P4OUT |= 0x90; /* not selected, not on hold */
    P4DIR |= 0x90;
    bus_request(BUS_FLASH, erase);
}
