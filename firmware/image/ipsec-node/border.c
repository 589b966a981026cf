/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `ipsec-border`: the radio of a border router behind a serial line. Frames of data go both
 * ways, in clear and without FCS, as packets of SLIP; the mote acknowledges, sends again, and does link
 * security on its own side, with its own counters. 6LoWPAN is the computer's. */
#include "board.h"
#include "cpu.h"
#include "csma_radio.h"
#include "cycles.h"
#include "flash.h"
#include "ipsec_node_block.h"
#include "line.h"
#include "link.h"
#include "phase.h"
#include "slip.h"
#include "time.h"
#include <wardmote/octets.h>

#define STORE_BLOCK 64u
#define QUEUE 16u /* frames that wait for the air: a packet of 1280 octets has 13 */
#define HEADER 9u
#define FCF_LOW (WM_FRAME_DATA | 0x40u) /* within one PAN */
#define FCF_HIGH 0x88u                  /* short addresses */

#define WATCHED __attribute__((used)) /* whoever looks from outside needs it */
WATCHED ipsec_node_report ipsec_node_report_block;
WATCHED ipsec_border_report ipsec_border_report_block;

static wm_counter_store store;
static uint32_t limits[LINK_SLOTS];
static slip_frame queue[QUEUE]; /* the one behind the last that waits is being taken */
static uint8_t first, waits, number;
static bool in_step; /* an END has come */

static uint8_t place(uint8_t behind)
{
    return (uint8_t)((first + behind) % QUEUE);
}

/* A frame for the computer, as the air would have it without security. */
static void give(const link_frame *frame)
{
    uint8_t header[HEADER] = {FCF_LOW, FCF_HIGH, number};
    wm_store_le16(header + 3, ipsec_node_setup_block.pan);
    wm_store_le16(header + 5, frame->dst);
    wm_store_le16(header + 7, frame->src);
    if (line_room() <= slip_len(header, HEADER) + slip_len(frame->payload, frame->len)) {
        ipsec_border_report_block.full_to_line++;
        return;
    }
    number++;
    slip_put(header, HEADER);
    slip_put(frame->payload, frame->len);
    slip_end();
    ipsec_border_report_block.to_line++;
}

/* Begins to send a frame of the computer.
 *  @retval false  it is none that can be sent */
static bool send(const slip_frame *frame)
{
    wm_mhr mhr;
    wm_frame_map map;
    uint8_t room, *payload = link_payload(&room);
    if (wm_frame_parse(frame->octet, frame->len, &mhr, &map) != WM_OK ||
        mhr.type != WM_FRAME_DATA || mhr.security_enabled || mhr.dst.mode != WM_ADDR_SHORT) {
        return false;
    }
    uint8_t len = (uint8_t)(frame->len - map.private_payload);
    if (len > room) {
        return false;
    }
    __builtin_memcpy(payload, frame->octet + map.private_payload, len);
    return link_send(wm_load_be16(mhr.dst.octet), len) == WM_OK;
}

static void drop_first(void)
{
    first = place(1);
    waits--;
}

void link_done(bool sent)
{
    (void)sent;
    drop_first();
}

static void send_first(void)
{
    if (!send(&queue[first])) {
        ipsec_border_report_block.refused++;
        drop_first();
    }
}

/* A mote that boots begins in the middle of a frame, for all it knows: what stands in front of the first
 * END is no frame, or somebody could hide one in the end of another. */
static void take_octet(void)
{
    uint8_t octet = line_take();
    if (!in_step) {
        in_step = octet == SLIP_END;
        return;
    }
    slip_frame *frame = &queue[place(waits)];
    slip_verdict verdict = slip_take(frame, octet);
    ipsec_border_report_block.refused += verdict == SLIP_SPOILED;
    if (verdict != SLIP_WHOLE) {
        return;
    }
    ipsec_border_report_block.from_line++;
    if (waits == QUEUE - 1u) {
        ipsec_border_report_block.full_to_air++;
    } else {
        waits++;
    }
    slip_begin(&queue[place(waits)]);
}

/* Whatever waits, frames first: an ack may be among them. */
static bool work(void)
{
    link_frame frame;
    if (csma_radio_waits()) {
        if (link_take(&frame) == WM_OK) {
            give(&frame);
        }
    } else if (time_due(TIME_MAC)) {
        link_on_alarm();
    } else if (line_waits()) {
        take_octet();
    } else if (waits != 0 && !link_sending()) {
        send_first();
    } else {
        return false;
    }
    return true;
}

static _Noreturn void run(void)
{
    cpu_irq_enable();
    for (;;) {
        while (work()) {
        }
        ipsec_border_report_block.overruns = line_overruns();
        if (time_arm()) {
            cpu_irq_disable();
            if (!line_waits()) {
                csma_radio_rest();
            }
            cpu_irq_enable();
        }
    }
}

/* The step that does not work; 0 if all do. */
static uint8_t start(const ipsec_node_setup *setup)
{
    if (setup->magic != IPSEC_NODE_MAGIC || !clock_valid(setup->clock_hz) || setup->channel < 11 ||
        setup->channel > 26) {
        return IPSEC_NODE_AT_BLOCK;
    }
    if (!clock_start(setup->clock_hz)) {
        return IPSEC_NODE_AT_CLOCK;
    }
    if (!board_start()) {
        return IPSEC_NODE_AT_RADIO;
    }
    if (setup->link_level != 0) {
        flash_start(setup->clock_hz);
        if (wm_counter_store_open(&store, &FLASH_COUNTERS, NULL, limits, LINK_SLOTS, STORE_BLOCK) !=
            WM_OK) {
            return IPSEC_NODE_AT_STORE;
        }
    }
    cycles_start();
    if (link_start(setup, &store) != WM_OK) {
        return IPSEC_NODE_AT_BLOCK;
    }
    return line_start(setup->clock_hz, setup->baud) ? 0 : IPSEC_NODE_AT_LINE;
}

int main(void)
{
    const ipsec_node_setup *setup = &ipsec_node_setup_block;
    board_pins();
    uint8_t why = start(setup);
    if (why != 0) {
        ipsec_node_report_block.why = why;
        ipsec_node_report_block.state = IPSEC_NODE_STOPPED;
        cpu_stop();
    }
    slip_begin(&queue[first]);
    slip_end();
    csma_radio_start(setup->channel, setup->pan, setup->address);
    ipsec_node_report_block.state = IPSEC_NODE_RUNNING;
    run();
}
