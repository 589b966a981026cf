/* SPDX-License-Identifier: BSD-3-Clause */
/** @file node.h
 *  A TSCH node that the attacks send frames to. */
#ifndef TESTS_STACK_ATTACKS_NODE_H
#define TESTS_STACK_ATTACKS_NODE_H

#include "attack.h"
#include "port_double.h"
#include "tsch_engine.h"

#define BEACON_KEY 1
#define DATA_KEY 2
static const uint8_t root_address[8] = {1}, leaf_address[8] = {2};
static const uint8_t secret[16] = {3};

/** Node 0 of port_double.h, off, with the same key in both key slots. */
static inline wm_tsch *attacked_node(wm_tsch_config config)
{
    wm_tsch *tsch = port_double_tsch(0);
    const bool root = config.role == WM_TSCH_ROOT;

    port_double_quiet();
    config.key_id_mode = 1;
    config.join_channel = 16;
    config.pan = PAN;
    memcpy(config.eui64, root ? root_address : leaf_address, 8);
    memcpy(config.peer, root ? leaf_address : root_address, 8);
    config.beacon_key_index = BEACON_KEY;
    config.data_key_index = DATA_KEY;
    config.slotframe_length = 7;
    config.data_cells = 6;
    config.frame_len = 100;
    config.timing = wm_tsch_template_default;
    MUST(wm_tsch_init(tsch, &config) == WM_OK);
    wm_port_key(0, secret);
    wm_port_key(1, secret);
    return tsch;
}

/** Rings the node's alarms, and ends the frames that it sends, until it is in `state`. */
static inline void wait_for(wm_tsch *tsch, wm_tsch_state state)
{
    for (int alarms = 0; tsch->state != (uint8_t)state; alarms++) {
        MUST(alarms < 1000);
        port_double_wake(0);
        wm_tsch_on_alarm(tsch);
        if (tsch->state == WM_TSCH_TX_FRAME || tsch->state == WM_TSCH_ACK_SEND) {
            wm_tsch_on_frame_end(tsch, wm_port_ticks());
        }
    }
}

/** A frame comes in right now. */
static inline void hear(wm_tsch *tsch, const uint8_t *frame, wm_psdu_len len)
{
    wm_tsch_on_frame_start(tsch, wm_port_ticks());
    port_double_deliver(0, frame, len, 1);
    wm_tsch_on_frame_end(tsch, wm_port_ticks());
}

#endif
