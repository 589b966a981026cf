/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counters.h
 *  What image `counters` is, and what it shows to an observer. It is a node with two keys whose
 *  counters survive power cuts. In an endless loop it sends a data frame under each key in turn,
 *  then listens for a while and accepts what the peer of that key sends. Whoever programs the image,
 *  and with it its keys, writes an empty store to the information memory: the image makes none. The
 *  octets are in docs/how-do-counters-survive-a-power-cut.md. Slots of its store: */
#ifndef IMAGE_COUNTERS_COUNTERS_H
#define IMAGE_COUNTERS_COUNTERS_H

#include <stdint.h>

#define COUNTERS_KEYS 2
#define COUNTERS_SLOT_OUT(key) (key)                  /**< outgoing, of the key */
#define COUNTERS_SLOT_IN(key) (COUNTERS_KEYS + (key)) /**< incoming, of the key's peer */
#define COUNTERS_SLOTS (2 * COUNTERS_KEYS)

/** Frames per write to flash. It is small, so that power cuts meet many writes; a product would
 *  take 256 or more. */
#ifndef COUNTERS_BLOCK
#define COUNTERS_BLOCK 4
#endif

/** In RAM, at symbol `counters_state`: where the node is. A frame is accepted when mark SEC2 (P2.1)
 *  goes up and down. */
typedef struct counters_state {
    uint16_t turns;    /**< frames sent, and windows opened to listen after each */
    uint16_t heard;    /**< frames received, whatever became of them */
    uint16_t accepted; /**< of these, accepted */
    int16_t last;      /**< wm_status of the last one */
    uint8_t fault;     /**< counters_fault_code */
    int8_t why;        /**< wm_status behind it */
} counters_state_t;

/** Why the image stopped. */
typedef enum counters_fault_code {
    COUNTERS_RUNNING = 0,
    COUNTERS_NO_CLOCK = 1,
    /** the information memory holds no store, or a damaged one */
    COUNTERS_NO_STORE = 2,
    COUNTERS_NO_TABLES = 3,
    COUNTERS_NO_RADIO = 4,
    COUNTERS_NOT_SENT = 5 /**< a frame could not be secured: a counter used up or not stored */
} counters_fault_code;

#endif
