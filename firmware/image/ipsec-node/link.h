/* SPDX-License-Identifier: BSD-3-Clause */
/** @file link.h
 *  Frames of the node: headers, link security, and the MAC. Addresses are short ones of one PAN. */
#ifndef IMAGE_IPSEC_NODE_LINK_H
#define IMAGE_IPSEC_NODE_LINK_H

#include <wardmote/counter_store.h>
#include <wardmote/csma.h>
#include "ipsec_node_block.h"

/** Slots of the counter store behind those of the SAs. */
#define LINK_SLOT_OUT IPSEC_NODE_SAS
#define LINK_SLOT_IN (LINK_SLOT_OUT + 1u)
#define LINK_SLOTS (LINK_SLOT_IN + IPSEC_NODE_NEIGHBOURS)

/** The payload of a frame that came. */
typedef struct link_frame {
    const uint8_t *payload;
    uint8_t len;
    uint16_t src, dst;
} link_frame;

/** Sets it up; the radio was started.
 *  @retval WM_ERR_PARAM  the block has values that cannot be */
WM_NODISCARD wm_status link_start(const ipsec_node_setup *setup, wm_counter_store *store);

/** Where the payload of the next frame is to be written, and how many octets there is room for. Not
 *  while link_sending. */
uint8_t *link_payload(uint8_t *room);

/** Secures the frame with that payload of `len` octets, if frames are secured, and begins to send
 *  it. link_done follows. */
WM_NODISCARD wm_status link_send(uint16_t to, uint8_t len);

bool link_sending(void);

/** Reads the next frame out of the radio.
 *  @retval WM_OK  a frame of data for this node or for everybody, the first of its number; secured if
 *                 frames are secured. Its payload lies where the next link_take puts its own */
WM_NODISCARD wm_status link_take(link_frame *frame);

/** The alarm TIME_MAC is due. */
void link_on_alarm(void);

/** Of net.c: the frame was sent, or given up. */
void link_done(bool sent);

#endif
