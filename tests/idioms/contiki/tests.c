/* SPDX-License-Identifier: BSD-3-Clause */
/* What needs no other mote: each line says something that a wrong chip would not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "platform.h"

#define TEXT 500u
#define SENSOR_TICKS 8192u /* a quarter of a second: no sensor is there */

typedef struct rom_table {
    uint32_t (*crc32)(const void *from, uint32_t octets);
    uint32_t (*flash_size)(void);
} rom_table;

static uint32_t buffer[256], copy[256];
static __attribute__((section(".nrdata"))) volatile uint32_t lost[64];
static char text[TEXT + 1];
static uint32_t began, ends, late_least = UINT32_MAX, late_most, alarms, clock_began, gpt_began;
static bool constructed, woken, sensor;
static uint8_t sensed[3];

static void __attribute__((constructor)) construct(void)
{
    constructed = buffer[0] == 0 && copy[255] == 0; /* .bss is cleared before */
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void library(void)
{
    char *end;
    uint32_t x = 1;
    bool sorted = true;
    char *heap = malloc(3000);
    for (int i = 0; i < 256; i++) {
        x = x * 1664525u + 1013904223u;
        buffer[i] = x;
    }
    qsort(buffer, 256, sizeof buffer[0], compare);
    for (int i = 1; i < 256; i++) {
        sorted = sorted && buffer[i - 1] <= buffer[i];
    }
    printf("nano %.6f %ld %d %d %d %08lx\n", sqrt(2.0) * exp(1.0), strtol("-0x1F;", &end, 16),
           *end == ';', sorted && constructed, heap != NULL && malloc(60000) == NULL, buffer[128]);
    free(heap);
}

/* Functions of the chip's ROM, through its table. */
static void rom(void)
{
    extern const rom_table rom_functions;
    printf("rom %08lx %lu\n", rom_functions.crc32("123456789", 9), rom_functions.flash_size());
    printf("ieee %08lx%08lx\n", REG(0x280028), REG(0x28002C));
}

static void on_alarm(uint32_t at)
{
    uint32_t late = rtimer_now() - at;
    late_least = late < late_least ? late : late_least;
    late_most = late > late_most ? late : late_most;
    if (++alarms < 10) {
        rtimer_set(at + 100, on_alarm);
    }
}

static void wake(uint32_t at)
{
    (void)at;
    woken = true;
}

/* Each turn reads less than a tick later; 3 000 turns are some carries from the lowest octet. */
static uint32_t backwards(void)
{
    uint32_t before = rtimer_now(), count = 0;
    for (int turn = 0; turn < 3000; turn++) {
        uint32_t now = rtimer_now();
        count += (int32_t)(now - before) < 0;
        before = now;
    }
    return count;
}

static void fill(void)
{
    for (uint32_t i = 0; i < TEXT; i++) {
        text[i] = i % 50 == 49 ? '\n' : (char)('a' + i % 23);
    }
}

bool tests_run(pt *at)
{
    PT_BEGIN(at);
    library();
    rom();
    udma_copy(buffer, copy, 256);
    PT_WAIT_UNTIL(at, udma_ends != 0);
    printf("copied %d %lu\n", memcmp(buffer, copy, sizeof buffer) == 0, udma_ends);
    fill();
    uart_wait();
    wakes = 0;
    began = rtimer_now();
    uart_send_by_dma(text, TEXT);
    PT_WAIT_UNTIL(at, uart_dma_ends != 0);
    ends = rtimer_now();
    uart_wait();
    printf("dma %lu ticks %lu\n", uart_dma_ends, ends - began);
    rtimer_set(rtimer_now() + 100, on_alarm);
    PT_WAIT_UNTIL(at, alarms == 10);
    printf("late %lu to %lu\n", late_least, late_most);
    clock_began = clock_time();
    PT_WAIT_UNTIL(at, clock_time() != clock_began);
    clock_began = clock_time();
    began = rtimer_now();
    gpt_began = gpt_ticks;
    PT_WAIT_UNTIL(at, clock_time() - clock_began >= 128);
    printf("clock %lu gpt %lu\n", rtimer_now() - began, gpt_ticks - gpt_began);
    printf("backwards %lu\n", backwards());
    sht21_start();
    began = rtimer_now();
    PT_WAIT_UNTIL(at, (sensor = sht21_read(sensed)) || rtimer_now() - began > SENSOR_TICKS);
    printf("sht21 %d %02x%02x%02x ticks %lu\n", sensor, sensed[0], sensed[1], sensed[2],
           rtimer_now() - began);
    for (uint32_t i = 0; i < 64; i++) {
        lost[i] = 0xA5A50000 + i;
    }
    uart_wait();
    REG(0x4003000C) = 0; /* GPT0 off */
    clock_began = clock_time();
    began = rtimer_now();
    rtimer_set(began + 24576, wake);
    lpm_deep = true;
    PT_WAIT_UNTIL(at, woken);
    lpm_deep = false;
    ends = 0;
    for (uint32_t i = 0; i < 64; i++) {
        ends += lost[i] == 0xA5A50000 + i;
    }
    printf("deep %lu ticks %lu clock %lu kept %d not %d\n", lpm_deep_count, rtimer_now() - began,
           clock_time() - clock_began, memcmp(buffer, copy, sizeof buffer) == 0, ends < 64);
    process_poll(PROCESS_SHELL);
    PT_END(at);
}
