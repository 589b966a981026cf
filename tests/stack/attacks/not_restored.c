/* SPDX-License-Identifier: BSD-3-Clause */
/* A node starts again and forgets wm_pib_restore. It must not make the frame of its first life once
 * more: not from the ASN, and not from a counter whose store has larger blocks now. */
#include "tables.h"

typedef struct frame_made {
    wm_status status;
    wm_psdu_len len;
    uint8_t octet[WM_FRAME_MAX];
} frame_made;

/* One life: open, restore or not, and secure one frame. */
static frame_made life(wm_nonce_form form, uint32_t block, bool is_first)
{
    static const uint8_t asn[5] = {0, 0, 5, 0, 7};
    const wm_mhr mhr = {.type = WM_FRAME_DATA,
                        .version = WM_VERSION_2015,
                        .pan_id_compression = true,
                        .dst_pan = PAN,
                        .dst = {.mode = WM_ADDR_SHORT},
                        .src = {.mode = WM_ADDR_EXT, .octet = {7}}};
    const wm_key_descriptor key = key_of_all();
    wm_security_pib pib = pib_of(&key);
    frame_made made = {.len = 0};

    open_store(block, is_first);
    pib.store = &store;
    pib.counter.slot = WM_SLOT(0);
    pib.asn_slot = WM_SLOT(1);
    pib.nonce_form = (uint8_t)form;
    if (is_first) {
        wm_pib_restore(&pib);
    }
    if (form == WM_NONCE_ASN) {
        MUST(wm_pib_set_asn(&pib, asn) == WM_OK);
    }
    made.status = wm_outgoing_build(&pib, &params, &mhr, (const uint8_t *)"0123456789", 10,
                                    made.octet, sizeof made.octet, &made.len);
    return made;
}

static void restart(wm_nonce_form form, uint32_t block)
{
    const frame_made first = life(form, 16, true);
    const frame_made second = life(form, block, false);

    MUST(first.status == WM_OK);
    HOLDS(second.status != WM_OK || first.len != second.len ||
          memcmp(first.octet, second.octet, first.len) != 0);
}

int main(void)
{
    restart(WM_NONCE_ASN, 16);
    restart(WM_NONCE_COUNTER, 16);
    restart(WM_NONCE_COUNTER, 1024);
    return 0;
}
