/* SPDX-License-Identifier: BSD-3-Clause */
/** @file zigbee.h
 *  What NWK and APS security of ZigBee PRO (document 05-3474, chapter 4) have in common: security
 *  levels, kinds of keys, the auxiliary header.
 *
 *      control 1 | frame counter 4 | [source 8] | [key sequence number 1]
 *
 *  Numbers and addresses have their least significant octet first on the air. Addresses in the
 *  structures here have their most significant octet first, as ieee802154.h has them and as they are
 *  printed on devices. */
#ifndef WARDMOTE_ZIGBEE_H
#define WARDMOTE_ZIGBEE_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_ZIGBEE_AUX_MAX 14 /**< octets of the longest auxiliary header, which NWK has always */
#define WM_ZIGBEE_MIC_MAX 16
/** Security level of every ZigBee network in use, ENC-MIC-32. A policy whose level is 0 means it. */
#define WM_ZIGBEE_LEVEL_USUAL 5

/** Key Identifier: which key secures a frame. */
typedef enum wm_zigbee_key_id {
    WM_ZIGBEE_KEY_DATA = 0,      /**< the link key */
    WM_ZIGBEE_KEY_NETWORK = 1,   /**< the network key */
    WM_ZIGBEE_KEY_TRANSPORT = 2, /**< made from the link key: it carries network keys */
    WM_ZIGBEE_KEY_LOAD = 3       /**< made from the link key: it carries link keys */
} wm_zigbee_key_id;

/** Auxiliary header as values. */
typedef struct wm_zigbee_aux {
    uint8_t key_id; /**< wm_zigbee_key_id */
    /** as on the air, where they are 0: nothing protects them, for the receiver puts its own
     *  security level there before it computes the MIC */
    uint8_t level_bits;
    bool source_present; /**< Extended Nonce */
    uint8_t source[8];   /**< meaningful if present: who secured the frame */
    uint32_t counter;
    uint8_t sequence; /**< with WM_ZIGBEE_KEY_NETWORK: the key's number */
} wm_zigbee_aux;

/** Reads an auxiliary header at `octets`, of which there are `len`.
 *  @returns octets it has; 0: they are not all there */
uint8_t wm_zigbee_aux_parse(const uint8_t *octets, uint8_t len, wm_zigbee_aux *aux);

/** MIC octets of a security level 0..7: 0, 4, 8 or 16. */
uint8_t wm_zigbee_mic_len(uint8_t level);

WM_C_END

#endif
