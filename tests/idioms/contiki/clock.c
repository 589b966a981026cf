/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks, rtimer, and sleep. */
#include "platform.h"

#define CLOCK_CTRL REG(0x400D2000)
#define CLOCK_STA REG(0x400D2004)
#define OSC_RC (1u << 16)
#define CRYSTAL_16MHZ 0x00020101u /* the other oscillator off; IO and system 16 MHz */
#define PMCTL REG(0x400D2058)
#define IWE REG(0x400D2094)
#define SYST_CSR REG(0xE000E010)
#define SYST_RVR REG(0xE000E014)
#define SYST_CVR REG(0xE000E018)
#define SCR REG(0xE000ED10)
#define SMT(n) REG(0x400D5040 + 4 * (n))
#define STLOAD REG(0x400D5050)
#define GPT0(offset) REG(0x40030000 + (offset))

static volatile uint32_t ticks;
static uint32_t deep_from, deep_rest;
static uint32_t alarm;
static void (*alarm_due)(uint32_t);
volatile uint32_t gpt_ticks, wakes;
bool lpm_deep;
uint32_t lpm_deep_count;

void systick_handler(void);
void systick_handler(void)
{
    ticks++;
    process_poll(PROCESS_TESTS);
}

void gpt0a_isr(void);
void gpt0a_isr(void)
{
    GPT0(0x24) = 1;
    gpt_ticks++;
}

void rtimer_isr(void);
void rtimer_isr(void)
{
    if (alarm_due != 0) {
        alarm_due(alarm);
    }
    process_poll(PROCESS_TESTS);
}

uint32_t clock_time(void)
{
    return ticks;
}

/* Reading and setting share the latch of ST0, so no handler comes between. */
static uint32_t masked(void)
{
    uint32_t mask;
    __asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(mask)::"memory");
    return mask;
}

static void unmask(uint32_t mask)
{
    __asm__ volatile("msr primask, %0" ::"r"(mask) : "memory");
}

uint32_t rtimer_now(void)
{
    uint32_t mask = masked();
    uint32_t now = sleep_timer();
    unmask(mask);
    return now;
}

void rtimer_set(uint32_t at, void (*due)(uint32_t at))
{
    uint32_t mask = masked();
    alarm = at;
    alarm_due = due;
    while ((STLOAD & 1) == 0) {
    }
    for (int octet = 3; octet >= 0; octet--) {
        SMT(octet) = at >> (8 * octet) & 0xFF;
    }
    unmask(mask);
}

static void wait_status(uint32_t bit, uint32_t value)
{
    while ((CLOCK_STA & bit) != value) {
    }
}

void clock_start(void)
{
    REG(0x400DC400) &= ~0xC0u; /* PD6, PD7: the watch crystal */
    REG(0x400D40F8) = 1;
    REG(0x400D40FC) = 1;
    CLOCK_CTRL = CRYSTAL_16MHZ;
    wait_status(OSC_RC, 0);
    wait_status(1u << 24, 0);
    REG(0x400D2008) |= 1; /* GPT0, running and asleep */
    REG(0x400D200C) |= 1;
    GPT0(0x00) = 0; /* 32 bits */
    GPT0(0x04) = 2; /* periodic, down */
    GPT0(0x28) = 16000 - 1;
    GPT0(0x18) = 1;
    GPT0(0x0C) = 1;
    nvic_enable(19);
    nvic_enable(145);
    SYST_RVR = 16000000 / 128 - 1;
    SYST_CVR = 0;
    SYST_CSR = 7;
}

/* SysTick has stood still: what the sleep timer has counted is made up for. */
static void adjust(void)
{
    uint32_t slept = sleep_timer() - deep_from + deep_rest;
    ticks += slept / 256;
    deep_rest = slept % 256;
}

/* From the RC oscillator, as the chip wants it; the crystal comes back before anything else. */
static void deep(void)
{
    deep_from = sleep_timer();
    CLOCK_CTRL = CRYSTAL_16MHZ | OSC_RC;
    wait_status(OSC_RC, OSC_RC);
    SYST_CSR = 4;
    IWE = 0x20;
    PMCTL = 2;
    SCR |= 4;
    __asm__ volatile("wfi" ::: "memory");
    SCR &= ~4u;
    PMCTL = 0;
    CLOCK_CTRL = CRYSTAL_16MHZ;
    wait_status(OSC_RC, 0);
    wait_status(1u << 26, 0); /* the sleep timer tells the time after an edge of its clock */
    wait_status(1u << 26, 1u << 26);
    adjust();
    SYST_CSR = 7;
    lpm_deep_count++;
}

void lpm_enter(void)
{
    if (lpm_deep) {
        deep();
    } else {
        __asm__ volatile("wfi" ::: "memory");
    }
    wakes++;
}
