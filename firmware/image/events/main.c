/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `events` shows what an operating system like TinyOS or Contiki costs an operation that only
 * computes. It has an event loop whose events run to completion, a periodic tick, and a listening
 * radio. The operation is one of the events and posts itself again. Without a loop it runs bare,
 * one run after the other, with interrupts disabled. */
#include "board.h"
#include "events_block.h"
#include "frames.h"
#include "loop.h"
#include "node.h"
#include "operations.h"

/* An observer reads these from outside, so link-time optimisation must keep them. */
#define WATCHED __attribute__((used))
WATCHED events_report events_report_block;

_Noreturn void events_stop(void);

/* Stops: the block has impossible values, or the board does not work. */
WATCHED __attribute__((noinline)) _Noreturn void events_stop(void)
{
    events_report_block.state = EVENTS_STOPPED;
    cpu_stop();
}

/* Ticks whose event has not been handled. */
static volatile uint16_t ticks_due;

void events_on_tick(void)
{
    events_report_block.ticks++;
    ticks_due++;
    loop_post(LOOP_TICK);
}

void events_on_radio(void)
{
    frames_on_radio();
}

/* Each rise of the mark is a tick, in their order, however late. */
static void on_tick(void)
{
    while (ticks_due != 0) {
        wm_port_mark_begin(WM_MARK_SEC3);
        wm_port_mark_end(WM_MARK_SEC3);
        cpu_irq_disable();
        ticks_due--;
        cpu_irq_enable();
    }
}

/* Counters are read where no interrupt can come between them and the mark: what is counted as
 * inside is inside. */
static void run_once(void)
{
    events_report *report = &events_report_block;
    operations_prepare();
    unsigned int mask = cpu_irq_save(); /* as wide as the CPU's registers */
    uint32_t ticks = report->ticks, interrupts = report->interrupts, reads = report->reads;
    uint8_t stamps = node_stamps();
    wm_port_mark_begin(WM_MARK_SEC1);
    cpu_irq_restore(mask);
    wm_status status = operations_run();
    (void)cpu_irq_save();
    wm_port_mark_end(WM_MARK_SEC1);
    report->ticks_in += report->ticks - ticks;
    report->interrupts_in += report->interrupts - interrupts;
    report->stamps_in += (uint8_t)(node_stamps() - stamps);
    report->reads_in += report->reads - reads;
    cpu_irq_restore(mask);
    if (status != WM_OK ||
        !operations_right(events_setup_block.expected, events_setup_block.output_len)) {
        report->wrong++;
    }
    if (++report->runs == events_setup_block.runs) {
        report->state = EVENTS_DONE;
    }
}

static void on_operation(void)
{
    run_once();
    if (events_report_block.state == EVENTS_RUNNING) {
        loop_post(LOOP_OPERATION);
    }
}

static _Noreturn void run_bare(void)
{
    while (events_report_block.state == EVENTS_RUNNING) {
        run_once();
    }
    cpu_stop();
}

/* SysTick has 24 bits: at 32 MHz it does not reach a second. */
static bool tick_valid(uint16_t hz)
{
    return hz <= 1024u && hz != 1u && (hz & (hz - 1u)) == 0;
}

int main(void)
{
    static const loop_handlers handlers = {.handle = {[LOOP_TICK] = on_tick,
                                                      [LOOP_FRAME] = frames_handle,
                                                      [LOOP_OPERATION] = on_operation}};
    const events_setup *setup = &events_setup_block;

    board_pins();
    if (setup->magic != EVENTS_MAGIC || !clock_valid(setup->clock_hz) ||
        !tick_valid(setup->tick_hz) || setup->runs == 0 || !operations_start(setup->operation) ||
        !clock_start(setup->clock_hz) || !board_start()) {
        events_stop();
    }
    events_report_block.state = EVENTS_RUNNING;
    if (setup->loop == 0) {
        run_bare();
    }
    if (setup->tick_hz != 0) {
        node_tick_start(setup->clock_hz, setup->tick_hz);
    }
    if (setup->channel != 0) {
        if (setup->recognise != 0) {
            node_recognise(setup->pan, setup->address);
        }
        node_listen(setup->channel, setup->stamp != 0);
    }
    loop_post(LOOP_OPERATION);
    loop_run(&handlers);
}
