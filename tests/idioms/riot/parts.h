/* SPDX-License-Identifier: BSD-3-Clause */
/** @file parts.h
 *  A MICAz the way RIOT runs it: threads that are preempted, a timer of 32 bits over a counter of 16,
 *  stdio on the serial line, avr-libc for all the rest. */
#ifndef IDIOMS_RIOT_PARTS_H
#define IDIOMS_RIOT_PARTS_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <util/atomic.h>

/* Threads. */
typedef struct thread {
    uint16_t sp;
    bool runs;
} thread;
extern thread *volatile thread_current;
void thread_main(void);                                 /**< who calls is the first one */
bool thread_start(uint16_t stack, void (*entry)(void)); /**< false: no memory for it */
void thread_yield(void);
void thread_end(void);
void thread_ticks(bool on); /**< preemption, a thousand times a second */
uint8_t thread_others(void);
extern volatile uint16_t thread_switches;

/* Ticks of 8 cycles: 921 600 Hz. */
#define TICKS(us) ((uint32_t)((us) * 0.9216))
void ticks_start(void);
uint32_t ticks_now(void);
void ticks_alarm(uint32_t at); /**< ticks_late is set when it goes off */
extern volatile int16_t ticks_late;
extern volatile uint16_t ticks_overflows;
uint16_t ticks_high(uint16_t low, bool overflow_waits);

void line_start(void);
bool radio_start(void);
uint8_t radio_memory(void); /**< octets that came back wrong, of 48 */
void radio_listen(uint16_t self);
void radio_send(uint8_t number);
void radio_poll(void);
extern volatile uint16_t radio_air[2], radio_gap[2]; /**< least and most ticks */
extern uint8_t radio_acked, radio_heard;

void self_test(void); /**< ends with a reset by the watchdog, and from there on with a return */

#endif
