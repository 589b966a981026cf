/* SPDX-License-Identifier: BSD-3-Clause */
/* Clock and radio of wardmote/port/tsch_port.h, and the main loop.
 *
 * Turnaround. From the alarm's tick to the first preamble symbol it takes 90 cycles (interrupt,
 * main loop, engine, the STXON strobe) and the radio's 12 symbol periods, 192 us: 203.2 us at 8
 * MHz, 213.3 us at 4.19 MHz, the CPU being in LPM0. The 7 ticks promised are 213.6 us, so a frame
 * begins 10.4 us (8 MHz) or 0.3 us (4.19 MHz) before its nominal moment; with a clock below 4.16
 * MHz it begins after it. After 8 symbol periods, 128 us, it is 139.2 and 149.3 us, and the 5 ticks
 * promised are 152.6 us: 13.4 us or 3.3 us before.
 *
 * Sleep. While the radio is off and the alarm is far, the radio's oscillator is off too. It starts so
 * early that it is stable before the alarm: what the alarm is for takes no longer than with a radio
 * that stayed on. */
#include "board.h"
#include "cc2420.h"
#include "cpu.h"
#include "registers.h"
#include "spi.h"
#include "tick.h"

#define TURNAROUND_TICKS 7
#define TURNAROUND_TICKS_SHORT 5

const uint8_t wm_port_listen_ticks = 7;

static bool turns_quickly;

/* LPM3 stops the DCO, whose start then delays what the CPU wakes for by up to 6 us. It stays on
 * (LPM0) while the radio, which draws far more, is on, and when the alarm is nearer than this:
 * inside a slot. */
#define NEAR_TICKS 66u /* 2 ms */

/* No piece of work fits before an alarm that is as near as this, and to find that out takes longer
 * than a tick. The CPU sleeps instead, so that the radio is told in time: at 6.7 MHz it would begin to
 * listen 45 us late. At 4.19 MHz, to find it out may take longer than this. */
#define DUE_TICKS 2u

/* A nearer alarm is not worth the start of the radio's oscillator. */
#define DOWN_TICKS 98 /* 3 ms */

/* So long before the alarm the oscillator is started, 0.86 ms typical and a seventh more, and then
 * asked whether it is stable. */
#define START_TICKS 36u /* 1.1 ms */
#define CHECK_TICKS 4u

static bool radio_is_on;

/* True between the edges of a frame, so that an end without a start is not reported. */
static bool in_frame;

bool board_turnaround(uint8_t symbols)
{
    turns_quickly = symbols == CC2420_TURNAROUND_SHORT;
    return turns_quickly || symbols == CC2420_TURNAROUND;
}

uint8_t wm_port_turnaround(void)
{
    return turns_quickly ? TURNAROUND_TICKS_SHORT : TURNAROUND_TICKS;
}

uint16_t wm_port_ticks(void)
{
    return tick_now();
}

bool wm_port_alarm(uint16_t tick)
{
    return tick_alarm(tick);
}

/* A strobe that ends reception makes SFD fall. Ignore edges up to here: nobody waits for their
 * frames. */
static void radio_off(void)
{
    tick_capture(false);
    in_frame = false;
    radio_is_on = false;
}

static void radio_on(void)
{
    if (!radio_is_on) {
        tick_capture(true);
        radio_is_on = true;
    }
}

void wm_port_radio_tune(uint8_t channel)
{
    radio_off();
    cc2420_tune(channel);
}

void wm_port_radio_listen(void)
{
    cc2420_listen();
    radio_on();
}

wm_status wm_port_radio_send(void)
{
    cc2420_send();
    radio_on(); /* SFD rises 352 us after the strobe */
    if (!cc2420_sent()) {
        radio_off();
        return WM_ERR_ENGINE;
    }
    return WM_OK;
}

void wm_port_radio_idle(void)
{
    radio_off();
    cc2420_idle();
}

bool board_start(void)
{
    tick_start();
    spi_start();
    if (!cc2420_start()) {
        return false;
    }
    if (turns_quickly) {
        cc2420_turn_quickly();
    }
    return true;
}

/* Reports one edge. The tick of a missed edge is unknown. So a frame with a missed start is not
 * reported at all, and a frame with a missed end ends when the next one begins. */
static void on_edge(wm_tsch *node, const tick_edge *edge)
{
    if (edge->missed) {
        in_frame = false;
    }
    if (edge->high) {
        in_frame = true;
        wm_tsch_on_frame_start(node, edge->tick);
    } else if (in_frame) {
        in_frame = false;
        wm_tsch_on_frame_end(node, edge->tick);
    }
}

/* The earlier of alarm and oldest edge. If both have the same tick, the edge comes first, because
 * alarms watch for frames. */
static void dispatch(wm_tsch *node)
{
    uint16_t alarm;
    tick_edge edge;
    bool alarm_due = tick_alarm_due(&alarm);
    bool edge_waits = tick_edge_first(&edge);
    if (edge_waits && (!alarm_due || (int16_t)(edge.tick - alarm) <= 0)) {
        tick_edge_drop();
        on_edge(node, &edge);
    } else if (alarm_due) {
        tick_alarm_clear();
        wm_tsch_on_alarm(node);
    }
}

/* Sleeps until `tick`, less than 2^15 ahead, with nothing but the tick counter on. */
static void sleep_until(uint16_t tick)
{
    uint16_t alarm;
    if (tick_alarm(tick)) {
        while (!tick_alarm_due(&alarm)) {
            tick_sleep(SR_LPM3);
        }
    }
}

/* Powers the radio down until just before the alarm, and arms that again.
 *  @retval false  the oscillator took so long that the alarm has passed */
static bool power_down_until(uint16_t alarm)
{
    cc2420_power_down();
    sleep_until(alarm - START_TICKS);
    cc2420_power_up();
    sleep_until(alarm - CHECK_TICKS);
    (void)cc2420_powered(); /* without its oscillator it neither sends nor hears */
    return tick_alarm(alarm);
}

/* With the radio off and nothing to do for long. */
static __attribute__((noinline)) void rest_long(wm_tsch *node, uint16_t alarm)
{
    if (!power_down_until(alarm)) {
        wm_tsch_on_alarm(node); /* it is late, and notices it */
    }
}

static bool alarm_is_near(void)
{
    uint16_t alarm;
    (void)tick_alarm_due(&alarm);
    return (uint16_t)(alarm - tick_now()) <= DUE_TICKS && tick_alarm_armed();
}

_Noreturn void board_run(wm_tsch *node)
{
    cpu_irq_enable();
    for (;;) {
        dispatch(node);
        if (!alarm_is_near() && board_work(node)) {
            continue;
        }
        uint16_t alarm;
        (void)tick_alarm_due(&alarm);
        int16_t ahead = (int16_t)(alarm - tick_now());
        if (!radio_is_on && ahead >= DOWN_TICKS && tick_alarm_armed()) {
            rest_long(node, alarm);
        } else {
            tick_sleep(radio_is_on || (uint16_t)ahead < NEAR_TICKS ? SR_LPM0 : SR_LPM3);
        }
    }
}
