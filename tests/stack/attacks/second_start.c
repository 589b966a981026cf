/* SPDX-License-Identifier: BSD-3-Clause */
/* A root that has secured its beacon is started once more. No second beacon may be secured under
 * the same ASN. */
#include "node.h"

/* Octets of the beacon that was loaded last; all zero: none since. */
static void beacon(uint8_t octets[WM_PSDU_MAX])
{
    wm_psdu_len len;
    const uint8_t *sent = port_double_sent(0, &len);

    memset(octets, 0, WM_PSDU_MAX);
    memcpy(octets, sent, len);
}

int main(void)
{
    wm_tsch *root = attacked_node((wm_tsch_config){.role = WM_TSCH_ROOT, .level = 5});
    uint8_t first[WM_PSDU_MAX], second[WM_PSDU_MAX], asn[5];

    wm_tsch_start(root);
    wait_for(root, WM_TSCH_TX_READY);
    beacon(first);
    memcpy(asn, root->asn, sizeof asn);
    MUST(root->stats.late_tx_offset == 0 && first[0] != 0);
    wm_tsch_start(root);
    port_double_wake(0);
    wm_tsch_on_alarm(root);
    beacon(second);
    HOLDS(memcmp(asn, root->asn, sizeof asn) != 0 || memcmp(first, second, sizeof first) == 0);
    return 0;
}
