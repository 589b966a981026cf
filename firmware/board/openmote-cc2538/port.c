/* SPDX-License-Identifier: BSD-3-Clause */
/* Clock and radio of wardmote/port/tsch_port.h, and the main loop.
 *
 * Turnaround. From the alarm's tick to the STXON strobe (interrupt, main loop, engine) it takes at
 * most 105 cycles, and the radio then needs 12 symbol periods, 192 us, until the first preamble
 * symbol: 195.3 us at 32 MHz, 198.6 us at 16 MHz. The 7 ticks promised are 213.6 us, so a frame
 * begins 18.3 us (32 MHz) or 15.0 us (16 MHz) before its nominal moment. With ticks of 4 us they are
 * 50, 200 us: 4.7 or 1.4 us before it.
 *
 * Sleep. The CPU waits in sleep mode, all clocks running, while the radio is on or holds a frame,
 * and for what is near; otherwise in power mode 2, from which it returns in time for the crystal to
 * be stable at the alarm. */
#include "board.h"
#include "clock.h"
#include "cpu.h"
#include "rf.h"
#include "tick.h"

#define TURNAROUND_SYMBOLS 12
#define TURNAROUND_TICKS WM_TICKS_UP(199)

const uint8_t wm_port_listen_ticks = WM_TICKS_UP(209); /* radio_listens_at_once says why */

static bool radio_is_on;

bool board_turnaround(uint8_t symbols)
{
    return symbols == TURNAROUND_SYMBOLS;
}

uint8_t wm_port_turnaround(void)
{
    return TURNAROUND_TICKS;
}

uint16_t wm_port_ticks(void)
{
    return tick_now();
}

bool wm_port_alarm(uint16_t tick)
{
    return tick_alarm(tick);
}

/* A frame that a strobe cuts off has no end. Ignore edges up to here: nobody waits for their
 * frames. */
static void radio_off(void)
{
    rf_edges(false);
    radio_is_on = false;
}

static void radio_on(void)
{
    if (!radio_is_on) {
        rf_edges(true);
        radio_is_on = true;
    }
}

void wm_port_radio_tune(uint8_t channel)
{
    radio_off();
    rf_tune(channel);
}

void wm_port_radio_listen(void)
{
    rf_listen();
    radio_on();
}

wm_status wm_port_radio_send(void)
{
    rf_send();
    radio_on();   /* SFD ends 352 us later */
    return WM_OK; /* the loaded frame is secured already */
}

void wm_port_radio_idle(void)
{
    radio_off();
    rf_idle();
}

bool board_start(void)
{
    tick_start();
    return rf_start();
}

/* The earlier of alarm and oldest edge. If both have the same tick, the edge comes first, because
 * alarms watch for frames. */
static void dispatch(wm_tsch *node)
{
    uint16_t alarm;
    rf_edge edge;
    bool alarm_due = tick_alarm_due(&alarm);
    bool edge_waits = rf_edge_first(&edge);
    if (edge_waits && (!alarm_due || (int16_t)(edge.tick - alarm) <= 0)) {
        rf_edge_drop();
        if (edge.start) {
            wm_tsch_on_frame_start(node, edge.tick);
        } else {
            wm_tsch_on_frame_end(node, edge.tick);
        }
    } else if (alarm_due) {
        tick_alarm_clear();
        wm_tsch_on_alarm(node);
    }
}

/* Interrupts are disabled: one that is already pending keeps the CPU from sleeping. In power mode 2
 * the transmit FIFO is lost, so a frame in it keeps the chip from going there. */
static void rest(const wm_tsch *node)
{
    if (rf_loaded && wm_tsch_rests(node)) {
        rf_unload();
    }
    switch (tick_rest_until_alarm(rf_may_power_down())) {
    case TICK_AWAKE:
        break;
    case TICK_SLEEP:
        cpu_wait();
        break;
    case TICK_DEEP:
        tick_power_down();
        rf_wake();
        break;
    }
}

_Noreturn void board_run(wm_tsch *node)
{
    cpu_irq_enable();
    for (;;) {
        dispatch(node);
        if (board_work(node)) {
            continue;
        }
        rf_edge edge;
        cpu_irq_disable();
        if (!rf_edge_first(&edge)) {
            rest(node);
        }
        cpu_irq_enable();
    }
}
