/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sources of APS security share. */
#ifndef WM_ZIGBEE_APS_PARTS_H
#define WM_ZIGBEE_APS_PARTS_H

#include <wardmote/zigbee_aps.h>

#define ZIGBEE_APS_SECURED 0x20u /* Security in the first octet of the frame */

/** Index of the link with that node, or of the first that waits for one; aps->count: none. */
uint8_t wm_zigbee_find_link(const wm_zigbee_aps *aps, const uint8_t address[8]);

/** The link's key of that kind; NULL: it has none. */
const wm_cipher *wm_zigbee_link_key(const wm_zigbee_link *link, uint8_t key_id);

/** Whether the counter of a frame is new on its link. */
wm_status wm_zigbee_link_admit(const wm_zigbee_link *link, uint32_t counter);

/** The MIC of a frame from `source` was right.
 *  @retval WM_ERR_STORAGE  the counter could not be kept; nothing has changed */
wm_status wm_zigbee_link_hear(wm_zigbee_link *link, const uint8_t source[8], uint32_t counter);

#endif
