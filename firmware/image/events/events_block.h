/* SPDX-License-Identifier: BSD-3-Clause */
/** @file events_block.h
 *  How image `events` is set up and read from outside, without recompiling: a block in flash that
 *  belongs to the node, written before boot by a programmer or by the instrument, and an object in
 *  RAM that says what happened.
 *
 *  Marks of port/tsch_port.h (pins: image/slot/slot_block.h): SEC1 is high while the operation
 *  runs, SEC2 rises when the event of a frame is handled, SEC3 when that of a tick is. */
#ifndef FIRMWARE_EVENTS_BLOCK_H
#define FIRMWARE_EVENTS_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define EVENTS_MAGIC 0x6576u   /**< "ev" */
#define EVENTS_OUTPUT_MAX 160u /**< octets of the longest result */
#define EVENTS_LOG 64u         /**< frames whose sequence numbers are kept; a power of 2 */

/** Who reads a frame out of the radio. */
typedef enum events_reader {
    /** the interrupt handler, as far as its one buffer allows; the loop does the rest */
    EVENTS_READ_IN_HANDLER = 0,
    EVENTS_READ_IN_LOOP = 1 /**< the event that the handler posts */
} events_reader;

typedef struct events_setup {
    uint16_t magic;
    uint16_t tick_hz;  /**< 0: no tick; a power of 2 from 2 to 1024 */
    uint32_t clock_hz; /**< clock of the CPU */
    uint32_t runs;     /**< how often the operation runs */
    uint16_t pan;      /**< of this node */
    uint16_t address;  /**< of this node */
    uint8_t operation; /**< an operation_number */
    uint8_t loop;      /**< 0: no event loop, interrupts disabled */
    uint8_t channel;   /**< 11..26: the radio listens; 0: it is off */
    uint8_t reader;    /**< an events_reader */
    uint8_t recognise; /**< 1: the radio drops frames for others */
    /** 1: the ends of each frame's start-of-frame delimiter and last octet interrupt too */
    uint8_t stamp;
    uint8_t octets;     /**< of the message, at most 128: for the operations of lengths.h */
    uint8_t output_len; /**< octets of `expected`: the result that each run is compared with */
    uint8_t expected[EVENTS_OUTPUT_MAX];
} events_setup;

/** The block: the chip's linker script has this symbol where the node's own flash begins. */
extern const events_setup slot_block_address;
#define events_setup_block slot_block_address

typedef enum events_state {
    EVENTS_BOOTING = 0,
    EVENTS_RUNNING = 1,
    EVENTS_DONE = 2, /**< all runs; the loop goes on without them */
    EVENTS_STOPPED = 3
} events_state;

/** What happened since boot. `..._in`: while the operation ran, between its marks. */
typedef struct events_report {
    uint32_t runs;
    uint32_t wrong; /**< runs whose result was not the one expected */
    uint32_t ticks, ticks_in;
    uint32_t interrupts, interrupts_in; /**< of the radio, when a frame is there */
    uint32_t stamps, stamps_in;         /**< further ones, that stamp a frame */
    uint32_t reads, reads_in;           /**< frames read out of it; `in`: by its handler */
    uint32_t frames;                    /**< handled, those for others too */
    uint32_t foreign;                   /**< of these, for others */
    uint32_t damaged;                   /**< wrong FCS, or no length of a frame */
    uint32_t overflows;
    volatile uint8_t state; /**< an events_state */
    /** sequence numbers of the frames handled; the next goes to `frames` modulo EVENTS_LOG */
    uint8_t log[EVENTS_LOG];
} events_report;
extern events_report events_report_block;

#endif
