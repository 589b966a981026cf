/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tinysec_block.h
 *  How image `tinysec` is set up and read from outside, without recompiling: a block in flash that
 *  belongs to the node, written before boot by a programmer or by the instrument, and an object in
 *  RAM that says what happened. */
#ifndef FIRMWARE_TINYSEC_BLOCK_H
#define FIRMWARE_TINYSEC_BLOCK_H

#include <stdint.h>
#include <wardmote/tinysec.h>

#define TINYSEC_MAGIC 0x7374u /**< "ts" */
#define TINYSEC_MOTES 40u     /**< addresses of motes that routes can lead to: 0..39 */
#define TINYSEC_JOURNEYS 8u   /**< journeys whose times are kept; a power of 2 */
#define TINYSEC_NEVER 0xFFFFFFFFul

/** What the application does. */
typedef enum tinysec_role {
    TINYSEC_RECEIVER = 0, /**< counts what comes */
    TINYSEC_SENDER = 1,   /**< sends as fast as the channel allows */
    TINYSEC_ROUTER = 2,   /**< passes messages on by way of the landmark; see route.h */
    /** begins journeys and takes their ends; gives every packet to the serial line, and sends what comes
     *  on it */
    TINYSEC_BASE = 3
} tinysec_role;

typedef struct tinysec_setup {
    uint16_t magic;
    uint16_t address;     /**< of this node */
    uint16_t destination; /**< of a sender's packets */
    uint16_t seed;        /**< of the back-offs; 0 counts as 1 */
    uint16_t packets;     /**< a sender stops after as many; 0: never */
    uint16_t clear;       /**< CC1000: the channel is clear when the ADC reads more: 0..1023 */
    uint8_t role;         /**< a tinysec_role */
    uint8_t mode;         /**< a wm_tinysec_mode: how packets are sent */
    uint8_t accept;       /**< a wm_tinysec_accept */
    uint8_t profile;      /**< a wm_tinysec_profile */
    uint8_t group;        /**< of plain packets; with a CC2420, of all */
    uint8_t preamble;     /**< CC1000: octets of 0xAA before a packet: 4..200 */
    uint8_t data_octets;  /**< of a sender's packets: 0..29 */
    uint8_t gap;          /**< octet times of rest between a sender's packets */
    uint8_t power;        /**< PA_POW of a CC1000; a CC2420 sends with 0 dBm */
    uint8_t parent;    /**< of a router: the next mote towards the landmark, itself if it is it */
    uint8_t from, to;  /**< of a base: where journeys begin and end */
    uint8_t key[2][8]; /**< for encryption, for the tag, as TinyOS's key files have them */
} tinysec_setup;

/** The block, in flash, at symbol `tinysec_setup_flash`; main.c copies it to tinysec_setup_block. */
extern const tinysec_setup tinysec_setup_flash;
extern tinysec_setup tinysec_setup_block;

/** Begins its definition, setup_<how>.c. An observer writes it from outside, so link-time optimisation
 *  must keep it. */
#define TINYSEC_SETUP_FLASH                                                                        \
    __attribute__((used, section(".progmem.setup"))) const tinysec_setup tinysec_setup_flash

typedef enum tinysec_state {
    TINYSEC_BOOTING = 0,
    TINYSEC_RUNNING = 1,
    TINYSEC_DONE = 2,   /**< a sender has sent its packets, and listens */
    TINYSEC_STOPPED = 3 /**< the block has impossible values, or radio or store do not work */
} tinysec_state;

/** What happened since boot. Times are modulo 2^32, in 8 cycles of the CPU with a CC1000, and in ticks
 *  (TICK_HZ) with a CC2420. */
typedef struct tinysec_report {
    uint32_t sent;
    uint32_t received;  /**< packets that the application was given */
    uint32_t refused;   /**< tag, CRC or policy */
    uint32_t congested; /**< five samples found the channel in use */
    uint16_t late;      /**< packets that were not ready when their start symbol had ended */
    uint16_t overrun;   /**< packets whose octets came faster than they were taken */
    uint16_t unmade;    /**< packets that could not be made: no IV is left, or the store failed */
    uint16_t journeys;  /**< begun by a base */
    uint16_t arrived;   /**< of these, that came back */
    uint16_t crumbs;    /**< motes that a landmark knows a way to */
    uint32_t took[TINYSEC_JOURNEYS]; /**< journey n stands at n modulo TINYSEC_JOURNEYS */
    volatile uint8_t state;          /**< a tinysec_state */
    uint16_t unsent;                 /**< messages that a base got while its serial line was busy */
} tinysec_report;
extern tinysec_report tinysec_report_block;

#endif
