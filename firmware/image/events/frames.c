/* SPDX-License-Identifier: BSD-3-Clause */
#include "frames.h"
#include "board.h"
#include "events_block.h"
#include "loop.h"
#include "node.h"
#include "radio.h"

#define FCS_OCTETS 2u
/* frame control, sequence number, PAN and short address of the destination */
#define HEADER_OCTETS 7u
#define LEAST_PSDU (HEADER_OCTETS + FCS_OCTETS)
#define PSDU_MAX 127u
#define BROADCAST 0xFFFFu

static uint8_t psdu[PSDU_MAX];
static uint8_t psdu_len;
static volatile bool full;

/* With interrupts disabled: the next frame into the buffer. Of an overflow the frame that came
 * first is whole, since each is read at once; the rest is lost, as no length tells where it
 * ends. */
static bool take(void)
{
    if (full || !node_frame_ready()) {
        return false;
    }
    psdu_len = radio_read_octet();
    if (psdu_len < LEAST_PSDU || psdu_len > PSDU_MAX) {
        events_report_block.damaged++;
        radio_flush_rx();
        return false;
    }
    radio_read(psdu, psdu_len);
    full = true;
    events_report_block.reads++;
    if (node_overflowed()) {
        events_report_block.overflows++;
        radio_flush_rx();
    }
    return true;
}

void frames_on_radio(void)
{
    events_report_block.interrupts++;
    if (events_setup_block.reader == EVENTS_READ_IN_LOOP || take()) {
        loop_post(LOOP_FRAME);
    }
}

static uint16_t at(uint8_t place)
{
    return (uint16_t)(psdu[place] | (uint16_t)psdu[place + 1] << 8);
}

/* The work of every driver on a frame. This image does not do the application's part. */
static void handle(events_report *report)
{
    if ((psdu[psdu_len - 1u] & RADIO_FCS_RIGHT) == 0) {
        report->damaged++;
        return;
    }
    report->log[report->frames % EVENTS_LOG] = psdu[2];
    report->frames++;
    uint16_t address = at(5);
    if (at(3) != events_setup_block.pan ||
        (address != events_setup_block.address && address != BROADCAST)) {
        report->foreign++;
    }
}

void frames_handle(void)
{
    cpu_irq_disable();
    (void)take(); /* nothing if the handler did */
    cpu_irq_enable();
    if (!full) {
        return;
    }
    wm_port_mark_begin(WM_MARK_SEC2);
    wm_port_mark_end(WM_MARK_SEC2);
    handle(&events_report_block);
    cpu_irq_disable();
    events_report_block.stamps += node_stamps();
    node_stamps_drop();
    full = false;
    if (events_setup_block.reader == EVENTS_READ_IN_LOOP ? node_frame_ready() : take()) {
        loop_post(LOOP_FRAME);
    }
    cpu_irq_enable();
}
