/* SPDX-License-Identifier: BSD-3-Clause */
/** @file hal.h
 *  A TelosB the way TinyOS runs it: tasks that are posted, split-phase services with callbacks, one
 *  owner of USART0 at a time, sleep as deep as the clocks in use allow. */
#ifndef IDIOMS_TINYOS_HAL_H
#define IDIOMS_TINYOS_HAL_H

#include "builtins.h"
#include <stdbool.h>
#include <stdint.h>

typedef void action(void);

/* Tasks, by number: a task that waits already is not posted a second time. */
enum { TASK_STEP, TASK_TIMERS, TASK_BUS, TASK_RADIO, TASK_LINE, TASK_CHUNK, TASKS };
void task_is(uint8_t number, action *run);
bool task_post(uint8_t number); /**< false: it waits already */
_Noreturn void tasks_run(void);
extern volatile uint16_t posts_refused;

/* Clocks: MCLK 4 MiHz from the DCO, SMCLK a quarter of it, ACLK the crystal. */
void clock_calibrate(void);
uint16_t clock_captured(void); /**< MCLK between captured edges 8 ACLK cycles apart */

/* Timers of 1024 Hz on Timer_B, which counts ACLK. */
enum { TIMER_STEP, TIMER_A, TIMER_B, TIMER_C, TIMER_BEAT, TIMERS };
void timers_start(void);
void timer_every(uint8_t number, uint16_t ms, action *fired);
void timer_once(uint8_t number, uint16_t ms, action *fired);
void timer_stop(uint8_t number);
uint16_t timer_now(void); /**< ACLK ticks, modulo 2^16 */

/* The line to the computer. */
void line_start(void);
void line_sleep(bool asleep); /**< it hears, but needs no clock until something comes */
void line_edge(void);
extern volatile bool line_comes;
extern volatile uint8_t line_count;
bool line_busy(void);
uint8_t line_heard(void); /**< the last octet heard, once; 0: none */
void say(const char *text);
void say_number(const char *label, uint16_t n);
void say_hex(const char *label, const uint8_t *octets, uint8_t count);
void say_end(void);

/* USART0: flash and radio, each with its own divider. */
enum { BUS_FLASH, BUS_RADIO, BUS_CLIENTS };
void bus_request(uint8_t client, action *granted);
void bus_release(uint8_t client);
uint8_t bus_exchange(uint8_t octet);
bool bus_in_use(void);

/* Devices. */
void flash_test(action *done);
extern uint16_t flash_sum, flash_polls;
extern uint8_t flash_signature;
void radio_start(action *done);
void radio_memory(action *done); /**< 16 octets into its memory and back */
extern volatile uint16_t memory_right, memory_wrong, start_ticks;
void radio_role(uint16_t self);
void radio_send(uint8_t count, action *done);
void sig_port1_radio(void);
void sig_sfd(void);
void sensors_start(void);
void serial_number(uint8_t octets[8]);
void temperature(action *done);
void sensors_edge(void);
extern uint16_t temperature_raw;
extern bool temperature_right;
void voltage(action *done);
extern uint16_t voltage_supply, voltage_temperature;

uint32_t mul_u32(uint32_t a, uint32_t b);
uint16_t mul_u16(uint16_t a, uint16_t b);
uint32_t to_decimal(uint16_t n);
uint16_t sum_octets(const uint8_t *from, uint16_t count);
void _unexpected_(void);

#endif
