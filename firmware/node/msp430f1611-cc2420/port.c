/* SPDX-License-Identifier: BSD-3-Clause */
/* Clock and radio of wardmote/port/tsch_port.h, and the main loop.
 *
 * Turnaround. From the alarm's tick to the first preamble symbol it takes 90 cycles (interrupt,
 * main loop, engine, the STXON strobe) and the radio's 12 symbol periods, 192 us: 203.2 us at 8
 * MHz, 213.3 us at 4.19 MHz, the CPU being in LPM0. The 7 ticks promised are 213.6 us, so a frame
 * begins 10.4 us (8 MHz) or 0.3 us (4.19 MHz) before its nominal moment; with a clock below 4.16
 * MHz it begins after it.
 */
#include "board.h"
#include "cc2420.h"
#include "cpu.h"
#include "registers.h"
#include "spi.h"
#include "tick.h"

const uint8_t wm_port_turnaround_ticks = 7;

/* LPM3 stops the DCO, whose start then delays what the CPU wakes for by up to 6 us. It stays on
 * (LPM0) while the radio, which draws far more, is on, and when the alarm is nearer than this:
 * inside a slot. */
#define NEAR_TICKS 66u /* 2 ms */

static bool radio_is_on;

/* True between the edges of a frame, so that an end without a start is not reported. */
static bool in_frame;

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
    return cc2420_start();
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

_Noreturn void board_run(wm_tsch *node)
{
    cpu_irq_enable();
    for (;;) {
        dispatch(node);
        uint16_t alarm;
        (void)tick_alarm_due(&alarm);
        bool near = (uint16_t)(alarm - tick_now()) < NEAR_TICKS;
        tick_sleep(radio_is_on || near ? SR_LPM0 : SR_LPM3);
    }
}
