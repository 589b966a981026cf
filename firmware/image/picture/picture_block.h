/* SPDX-License-Identifier: BSD-3-Clause */
/** @file picture_block.h
 *  How image `picture` is set up and read from outside, without recompiling: a block in flash that
 *  belongs to the node, written before boot by a programmer or by the instrument, and an object in
 *  RAM that says what happened.
 *
 *  Phases are pins of the board's LEDs, lit while their pin is low: PICTURE_LED_CRYPT while a block
 *  cipher works, PICTURE_LED_PACKET from the first octet of a packet being there until its frame was
 *  acknowledged or given up; at a receiver, from a frame being there until its data are decrypted. */
#ifndef FIRMWARE_PICTURE_BLOCK_H
#define FIRMWARE_PICTURE_BLOCK_H

#include <stdint.h>

#define PICTURE_MAGIC 0x6370u /**< "pc" */
#define PICTURE_BLOCK 16u
#define PICTURE_BLOCKS_MAX 6u /**< of a packet */
#define PICTURE_SENDERS 16u   /**< that a receiver hears */
#define PICTURE_CHUNK 64u     /**< octets that a sender asks the serial line for at a time */
#define PICTURE_ASK 0x72u     /**< "r": the octet by which it does */
#define PICTURE_LED_CRYPT 0x01u
#define PICTURE_LED_PACKET 0x02u

typedef enum picture_source {
    PICTURE_SERIAL = 0, /**< a sender's serial line; a receiver's, to give what came */
    PICTURE_OWN = 1     /**< a sender makes its data; a receiver counts what came */
} picture_source;

typedef struct picture_setup {
    uint16_t magic;
    uint16_t pan;
    uint16_t address;     /**< of this node, and its NWK address */
    uint16_t destination; /**< of a sender's packets */
    uint16_t seed;        /**< of the back-offs, not 0 */
    uint16_t rest;        /**< ticks (TICK_HZ) of rest behind each packet of a sender */
    uint16_t slower;      /**< loops of 8 cycles that each block takes longer than it does */
    uint8_t channel;
    uint8_t blocks;  /**< in a packet of a sender: 1..PICTURE_BLOCKS_MAX */
    uint8_t source;  /**< a picture_source */
    uint8_t chained; /**< CBC; 0: each block by itself, which is ECB and shows what repeats */
    uint32_t octets; /**< that a sender sends, whole blocks; 0: without end */
    uint8_t key[16];
} picture_setup;

/** The block, in flash; main.c copies it to picture_setup_block. */
extern const picture_setup picture_setup_flash;
extern picture_setup picture_setup_block;

typedef enum picture_state {
    PICTURE_BOOTING = 0,
    PICTURE_RUNNING = 1,
    PICTURE_DONE = 2,   /**< a sender has sent all, and every packet was acknowledged */
    PICTURE_STOPPED = 3 /**< the block has impossible values, radio or counter do not work, or a
                             packet was sent again too often */
} picture_state;

/** What happened since boot. */
typedef struct picture_report {
    uint32_t packets;       /**< sent and acknowledged; at a receiver, taken */
    uint32_t octets;        /**< of data, in these */
    uint32_t asked;         /**< chunks that a sender asked the serial line for */
    uint32_t retries;       /**< frames that the MAC sent again */
    uint32_t resent;        /**< packets that the application sent again, because the MAC gave up */
    uint32_t repeated;      /**< frames that the MAC had taken before */
    uint32_t duplicates;    /**< packets that the application had taken before */
    uint32_t gaps;          /**< packets before which another was lost */
    uint32_t refused;       /**< frames that were none of ours, or damaged */
    uint32_t overflows;     /**< of the radio's FIFO: frames were lost */
    volatile uint8_t state; /**< a picture_state */
} picture_report;
extern picture_report picture_report_block;

#endif
