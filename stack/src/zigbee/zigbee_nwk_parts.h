/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sources of NWK security share. */
#ifndef WM_ZIGBEE_NWK_PARTS_H
#define WM_ZIGBEE_NWK_PARTS_H

#include <wardmote/zigbee_nwk.h>

#define ZIGBEE_NWK_AUX 14u    /* control, counter, source, key sequence number */
#define ZIGBEE_NWK_SECURED 2u /* Security in the second octet of the frame */

/** The security level that holds. */
static inline uint8_t wm_zigbee_nwk_level(const wm_zigbee_nwk *nwk)
{
    return nwk->level == 0 ? WM_ZIGBEE_LEVEL_USUAL : nwk->level;
}

/** Whether key number `sequence` is newer than `than`: numbers go round. */
static inline bool wm_zigbee_newer(uint8_t sequence, uint8_t than)
{
    const uint8_t ahead = (uint8_t)(sequence - than);
    return ahead != 0 && ahead < 0x80u;
}

/** Whether the counter of a frame is new, and where its sender has its place.
 *  @param place  of the sender; nwk->known: it has none yet
 *  @retval WM_ERR_COUNTER             it is not, or it is one that no frame has
 *  @retval WM_ERR_UNAVAILABLE_DEVICE  there is no place left */
wm_status wm_zigbee_find_sender(const wm_zigbee_nwk *nwk, const wm_zigbee_aux *aux, uint8_t *place);

/** The MIC of that frame was right.
 *  @retval WM_ERR_STORAGE  the counter could not be kept; nothing has changed */
wm_status wm_zigbee_hear(wm_zigbee_nwk *nwk, const wm_zigbee_aux *aux, uint8_t place);

#endif
