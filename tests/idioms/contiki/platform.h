/* SPDX-License-Identifier: BSD-3-Clause */
/** @file platform.h
 *  An OpenMote the way Contiki runs it: processes that are polled, protothreads, rtimer on the sleep
 *  timer, sleep as deep as the peripherals allow, newlib for the C library. */
#ifndef IDIOMS_CONTIKI_PLATFORM_H
#define IDIOMS_CONTIKI_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

#define REG(address) (*(volatile uint32_t *)(address))

/* Protothreads: a line to go on at, kept in `pt`. */
typedef uint16_t pt;
#define PT_BEGIN(pt)                                                                               \
    switch (*(pt)) {                                                                               \
    case 0:
#define PT_WAIT_UNTIL(pt, condition)                                                               \
    *(pt) = __LINE__;                                                                              \
    case __LINE__:                                                                                 \
        if (!(condition))                                                                          \
        return false
#define PT_END(pt)                                                                                 \
    }                                                                                              \
    *(pt) = UINT16_MAX;                                                                            \
    return true

/* Processes. */
enum { PROCESS_TESTS, PROCESS_SHELL, PROCESS_RADIO, PROCESSES };
void process_poll(uint8_t process);
bool tests_run(pt *at);
bool shell_run(pt *at);
bool radio_run(pt *at);

/* Time: SysTick 128 times a second, the sleep timer 32 768 times. */
void clock_start(void);
uint32_t clock_time(void);
uint32_t rtimer_now(void);
void rtimer_set(uint32_t at, void (*due)(uint32_t at));
uint32_t sleep_timer(void); /**< as sleep_timer.c reads it */
extern volatile uint32_t gpt_ticks;
extern volatile uint32_t wakes;
void lpm_enter(void);
extern bool lpm_deep; /**< nothing but the sleep timer is needed */
extern uint32_t lpm_deep_count;

static inline void nvic_enable(uint32_t line)
{
    REG(0xE000E100 + line / 32 * 4) = 1u << line % 32;
}

/* UART0 and uDMA. */
void uart_start(void);
int uart_get(void); /**< -1: nothing */
void uart_wait(void);
void uart_send_by_dma(const char *text, uint32_t octets);
void udma_start(void);
void udma_copy(const uint32_t *from, uint32_t *to, uint32_t words);
extern volatile uint32_t udma_ends, uart_dma_ends;

/* The sensor. */
void sht21_start(void);
bool sht21_read(uint8_t octets[3]); /**< false: it measures */

/* Radio. */
void radio_on(uint16_t self);
void radio_send(uint8_t number);
void radio_recover(void); /**< after an overflow of the receiver's FIFO */
extern bool radio_deaf;
extern volatile uint32_t radio_overflows;
extern uint8_t radio_acked, radio_heard;
extern uint16_t radio_ack_ticks[2];

#endif
