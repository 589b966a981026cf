/* SPDX-License-Identifier: BSD-3-Clause */
/** @file frame.h
 *  A packet in a data frame of ZigBee, without security of ZigBee's own:
 *
 *      MHR 9 | NWK header 8 | APS header 8 | data, whole blocks
 *
 *  The first packet of a sender, number 0, is the initialisation vector; the others, numbered on
 *  modulo 256 by the APS counter, are ciphertext, chained from packet to packet. */
#ifndef IMAGE_PICTURE_FRAME_H
#define IMAGE_PICTURE_FRAME_H

#include <stdbool.h>
#include <wardmote/ieee802154.h>
#include "picture_block.h"

#define FRAME_HEAD 25u
#define FRAME_MAX (FRAME_HEAD + PICTURE_BLOCK * PICTURE_BLOCKS_MAX)
#define FRAME_BEGIN 0u /**< cluster of the first packet */
#define FRAME_DATA 1u  /**< cluster of the others */

/** Writes the headers of this node's packets; all but the numbers stay the same.
 *  @retval false  the block has addresses that cannot be */
bool frame_head(uint8_t frame[FRAME_HEAD], const picture_setup *setup);

/** Sets what differs: number of the frame in MAC and NWK, number of the packet, and its kind. */
void frame_number(uint8_t frame[FRAME_HEAD], uint8_t frames, uint8_t packets, uint8_t cluster);

/** What a packet says of itself. */
typedef struct frame_packet {
    uint8_t *data;
    uint16_t from;
    uint8_t len, number, cluster;
} frame_packet;

/** Reads the packet of a frame whose MHR was read.
 *  @param at  of the octet behind the MHR
 *  @retval false  it is none of ours, or not of whole blocks */
bool frame_read(uint8_t *frame, uint8_t len, uint8_t at, uint16_t address, frame_packet *packet);

#endif
