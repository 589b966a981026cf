/* SPDX-License-Identifier: BSD-3-Clause */
/** @file zigbee_state.h
 *  What somebody who reads a ZigBee network along has learned: keys, addresses, counters. */
#ifndef WARDMOTE_FRAMES_ZIGBEE_STATE_H
#define WARDMOTE_FRAMES_ZIGBEE_STATE_H

#include <wardmote/aes128.h>
#include <wardmote/counter.h>
#include "fcs.h"
#include "zigbee.h"

/** A key, and what is made of it. */
typedef struct zigbee_key {
    frames_zigbee_key given;
    wm_aes128_tab_key data, transport, load; /**< the last two of a link key alone */
} zigbee_key;

/** A counter in memory, and exact: nothing here outlives a run. */
typedef struct zigbee_counter {
    wm_counter counter;
    uint32_t next;
} zigbee_counter;

/** What the next frame of a sender under a key must have. */
typedef struct zigbee_sender {
    uint8_t source[8];
    uint32_t next;
    uint16_t pan, to; /**< `to`: of an APS frame */
    uint8_t key, sequence, layer, spare;
} zigbee_sender;

/** Addresses of a node. */
typedef struct zigbee_node {
    uint8_t ext[8];
    uint16_t pan, address;
    bool proved; /**< a frame whose MIC was right said so */
} zigbee_node;

typedef struct zigbee_state {
    frames_zigbee_job job;
    zigbee_key keys[FRAMES_ZIGBEE_KEYS];
    zigbee_sender senders[FRAMES_ZIGBEE_SENDERS];
    zigbee_node nodes[FRAMES_ZIGBEE_NODES];
    uint32_t key_count, sender_count, node_count;
    fcs_tables fcs;
} zigbee_state;

void zigbee_counter_make(zigbee_counter *made, uint32_t next);

/** The sender that is the same but for `next`, or a place for it; NULL: none is left. A place counts
 *  once `next` is not 0 and zigbee_sender_keep was called. */
zigbee_sender *zigbee_sender_find(zigbee_state *state, const zigbee_sender *like);

/** Keeps it. */
void zigbee_sender_keep(zigbee_state *state, zigbee_sender *place, uint32_t next);

/** Remembers a node's addresses; a later pair takes the place of an earlier one, but one that anybody
 *  may have written never that of one that was proved. */
void zigbee_node_learn(zigbee_state *state, uint16_t pan, uint16_t address, const uint8_t ext[8],
                       bool proved);

/** Its extended address; NULL: not known. */
const uint8_t *zigbee_node_find(const zigbee_state *state, uint16_t pan, uint16_t address);

#endif
