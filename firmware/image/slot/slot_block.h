/* SPDX-License-Identifier: BSD-3-Clause */
/** @file slot_block.h
 *  How image `slot` is set up and read from outside, without recompiling: a block in flash that
 *  belongs to the node, written before boot by a programmer or by the instrument, and one object in
 *  RAM that holds the node's state and counters. */
#ifndef FIRMWARE_SLOT_BLOCK_H
#define FIRMWARE_SLOT_BLOCK_H

#include <wardmote/tsch.h>

#define SLOT_BLOCK_MAGIC 0x6D77u /**< "wm" */
#define SLOT_BLOCK_VERSION 2u

typedef struct slot_block {
    uint16_t magic, version;
    uint32_t clock_hz; /**< clock of the CPU */
    /** symbol periods of 16 us from the strobe that sends to the first symbol: 12, or 8 where the
     *  radio can */
    uint8_t turnaround_symbols;
    uint8_t key[WM_KEY_SLOTS][16];
    wm_tsch_config tsch;
} slot_block;

/** The block, at symbol `slot_block_address`: the chip's linker script says where. */
extern const slot_block slot_block_address;

/** The node, at symbol `slot_node`. */
extern wm_tsch slot_node;

/** Why the image stopped, at symbol `slot_fault`: 0 running, else a slot_fault_code. It stops in
 *  `slot_stop`. */
typedef enum slot_fault_code {
    SLOT_RUNNING = 0,
    SLOT_NO_BLOCK = 1,  /**< no magic where the block should be */
    SLOT_BAD_BLOCK = 2, /**< version or a value out of range */
    SLOT_NO_CLOCK = 3,  /**< the CPU does not reach clock_hz, or a crystal does not start */
    SLOT_NO_RADIO = 4   /**< no radio answers, or its oscillator does not start */
} slot_fault_code;
extern volatile uint8_t slot_fault;

/* Marks of port/tsch_port.h:
 *
 *   board           | SEC1          SEC2          SEC3          SEC4          SLOT
 *   telosb          | P2.0 (GIO0)   P2.1 (GIO1)   P2.3 (GIO2)   P2.6 (GIO3)   P6.0 (ADC0)
 *   openmote-cc2538 | PC4           PC5           PC6           PC7           PD3 */

#endif
