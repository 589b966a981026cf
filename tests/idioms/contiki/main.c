/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes, and the shell among them. */
#include <stdio.h>
#include <string.h>
#include "platform.h"
#include "../frames.h"

volatile uint16_t TOS_NODE_ID = 1;
static volatile uint32_t polled = 1u << PROCESS_TESTS;
static pt at[PROCESSES];
static char line[32];
static uint8_t length, frame, frames;
static bool tested, hangs;
static uint32_t next;

void process_poll(uint8_t process)
{
    __atomic_fetch_or(&polled, 1u << process, __ATOMIC_RELAXED); /* LDREX, STREX */
}

static void command(void)
{
    unsigned count;
    if (sscanf(line, "send %u", &count) == 1) {
        frames = (uint8_t)count;
        frame = 0;
        next = clock_time();
    } else if (strcmp(line, "deaf") == 0) {
        radio_deaf = true;
        printf("deaf\n");
    } else if (strcmp(line, "hear") == 0) {
        radio_deaf = false;
        process_poll(PROCESS_RADIO);
        printf("hears\n");
    } else if (strcmp(line, "hang") == 0) {
        hangs = true;
    }
}

static void listen(void)
{
    int octet;
    while ((octet = uart_get()) >= 0) {
        if (octet == '\n') {
            line[length] = 0;
            length = 0;
            command();
        } else if (length < sizeof line - 1) {
            line[length++] = (char)octet;
        }
    }
}

bool shell_run(pt *at)
{
    PT_BEGIN(at);
    PT_WAIT_UNTIL(at, tested);
    radio_on(TOS_NODE_ID);
    printf("ready %u\n", TOS_NODE_ID);
    for (;;) {
        PT_WAIT_UNTIL(at, (listen(), frames != 0) && clock_time() - next < 1000);
        if (frame < frames) {
            radio_send(frame++);
            next = clock_time() + 3;
        } else {
            frames = 0;
            printf("acked %u after %u to %u\n", radio_acked, radio_ack_ticks[0],
                   radio_ack_ticks[1]);
            radio_acked = 0;
        }
    }
    PT_END(at);
}

static void run(void)
{
    uint32_t now = __atomic_exchange_n(&polled, 0, __ATOMIC_RELAXED);
    if ((now & 1u << PROCESS_TESTS) && !tested) {
        tested = tests_run(&at[PROCESS_TESTS]);
        now |= tested ? 1u << PROCESS_SHELL : 0;
    }
    if (now & (1u << PROCESS_SHELL | 1u << PROCESS_TESTS)) {
        shell_run(&at[PROCESS_SHELL]);
    }
    if (now & 1u << PROCESS_RADIO) {
        radio_run(&at[PROCESS_RADIO]);
    }
}

/* 1 s from its start; two writes clear it. */
static void watchdog(void)
{
    REG(0x400D5000) = REG(0x400D5000) | 0xA0;
    REG(0x400D5000) = (REG(0x400D5000) & ~0xF0u) | 0x50;
}

int main(void)
{
    clock_start();
    uart_start();
    udma_start();
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("contiki-like\n");
    printf("reset %lu\n", REG(0x400D2004) >> 22 & 3);
    REG(0x400D5000) = 0x08;
    for (;;) {
        if (!hangs) {
            watchdog();
        }
        run();
        __asm__ volatile("cpsid i" ::: "memory");
        if (polled == 0) {
            lpm_enter();
        }
        __asm__ volatile("cpsie i" ::: "memory");
    }
}
