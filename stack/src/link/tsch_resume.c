/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a node goes on after a restart.
 *
 * References: IEEE 802.15.4-2015 9.2.2, 9.2.4 (a counter, or an ASN, is never used twice), 6.2.6
 * (slotframes). */
#include "../util/octets8.h"
#include "tsch_engine.h"
#include "tsch_time.h"

wm_status wm_tsch_resume(wm_tsch *tsch, const wm_tsch_resumption *from)
{
    uint8_t i;
    bool back = from->tx_counter < tsch->tx_counter || wm_asn_less(from->asn, tsch->asn);

    for (i = 0; i < WM_KEY_SLOTS; i++) {
        back = back || from->rx_counter[i] < tsch->rx_counter[i];
    }
    if (tsch->state != WM_TSCH_OFF) {
        return WM_ERR_STATE;
    }
    if (back) {
        return WM_ERR_COUNTER;
    }
    tsch->tx_counter = from->tx_counter;
    for (i = 0; i < WM_KEY_SLOTS; i++) {
        tsch->rx_counter[i] = from->rx_counter[i];
    }
    wm_copy5(tsch->asn, from->asn);
    tsch->slot_offset = wm_asn_mod(tsch->asn, tsch->config.slotframe_length);
    tsch->channel_index = tsch->asn[4] & (WM_HOPPING_LEN - 1u);
    return WM_OK;
}
