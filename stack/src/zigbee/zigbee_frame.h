/* SPDX-License-Identifier: BSD-3-Clause */
/* What NWK and APS do alike with a frame: auxiliary header, CCM*. Offsets are from the first octet of
 * the frame. */
#ifndef WM_ZIGBEE_FRAME_H
#define WM_ZIGBEE_FRAME_H

#include <wardmote/cipher.h>
#include <wardmote/counter.h>
#include <wardmote/zigbee.h>

#define ZIGBEE_LEVEL 0x07u /* bits of the security control octet that are zeros on the air */
#define ZIGBEE_LEVEL_MOST 7u
#define ZIGBEE_AUX_LEAST 5u /* octets of control and counter */

/** A frame whose auxiliary header is in its place. */
typedef struct wm_zigbee_layout {
    const wm_cipher *cipher;
    const uint8_t *source; /**< address of the node that secures it */
    uint32_t counter;
    uint8_t level, mic_len;
    uint8_t aux_at, payload_at, end; /**< `end` is where the MIC begins */
} wm_zigbee_layout;

/** Writes an auxiliary header whose level bits are zeros.
 *  @returns its octets */
uint8_t wm_zigbee_aux_build(uint8_t *octets, const wm_zigbee_aux *aux);

/** Makes room for `gap` octets at `at` of a frame of `len` octets. */
void wm_zigbee_insert(uint8_t *frame, uint8_t len, uint8_t at, uint8_t gap);

/** The reverse. */
void wm_zigbee_remove(uint8_t *frame, uint8_t len, uint8_t at, uint8_t gap);

/** Encrypts and writes the MIC. The cipher is ready, and its blocks have 16 octets.
 *  @retval WM_ERR_ENGINE  the cipher failed: what was to be encrypted is zero */
wm_status wm_zigbee_seal(const wm_zigbee_layout *layout, uint8_t *frame);

/** Decrypts and compares the MIC; octets behind it are left alone. The same of the cipher.
 *  @retval WM_NOT_AUTHENTICATED  there is no MIC
 *  @retval WM_ERR_SECURITY, WM_ERR_ENGINE  all from the auxiliary header to the end of the MIC is
 *                                zero */
wm_status wm_zigbee_open(const wm_zigbee_layout *layout, uint8_t *frame);

/** The next frame has counter `*next`. It is used from now on: `*next` grows.
 *  @retval WM_ERR_COUNTER, WM_ERR_STATE, WM_ERR_STORAGE  see wm_zigbee_nwk_secure */
wm_status wm_zigbee_use_counter(wm_counter *counter, uint32_t *next);

#endif
