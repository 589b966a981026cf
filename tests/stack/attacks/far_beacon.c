/* SPDX-License-Identifier: BSD-3-Clause */
/* An outsider knows the beacons' key, as everybody knows K1 of RFC 8180, and sends one beacon with
 * an ASN far ahead. A leaf that has bounded what it believes must join its true network afterwards. */
#include "node.h"
#include <wardmote/aes128.h>
#include <wardmote/eb.h>
#include <wardmote/link_security.h>

static const uint8_t far_ahead[5] = {0xFF, 0xFF, 0xFF, 0xFF, 0xF0};
static const uint8_t true_asn[5] = {0, 0, 0, 1, 0};

static void send_beacon(wm_tsch *leaf, const uint8_t asn[5])
{
    wm_mhr mhr = {.type = WM_FRAME_BEACON,
                  .version = WM_VERSION_2015,
                  .security_enabled = true,
                  .ie_present = true,
                  .pan_id_compression = true,
                  .dst_pan = PAN,
                  .dst = {.mode = WM_ADDR_SHORT, .octet = {0xFF, 0xFF}},
                  .src = {.mode = WM_ADDR_EXT},
                  .ash = {.level = 1,
                          .key_id_mode = 1,
                          .counter_suppressed = true,
                          .asn_in_nonce = true,
                          .key_index = BEACON_KEY}};
    wm_eb eb = {.slotframe_length = 7, .timing = wm_tsch_template_default};
    wm_security security = {.nonce_form = WM_NONCE_ASN};
    wm_aes128_tab_key key;
    uint8_t frame[WM_FRAME_MAX];
    wm_psdu_len len, content;

    memcpy(mhr.src.octet, root_address, 8);
    memcpy(eb.asn, asn, 5);
    memcpy(security.asn, asn, 5);
    wm_aes128_tab_init(&key, secret);
    security.cipher = &key.cipher;
    MUST(wm_mhr_build(&mhr, frame, sizeof frame, &len) == WM_OK);
    MUST(wm_eb_build(&eb, frame + len, (wm_psdu_len)(sizeof frame - len), &content) == WM_OK);
    len = (wm_psdu_len)(len + content);
    MUST(wm_frame_secure(&security, frame, sizeof frame, &len) == WM_OK);
    hear(leaf, frame, len);
}

int main(void)
{
    wm_tsch *leaf = attacked_node(
        (wm_tsch_config){.role = WM_TSCH_LEAF, .level = 5, .join_asn_max = {0, 0, 0, 2, 0}});

    wm_tsch_start(leaf);
    send_beacon(leaf, far_ahead);
    HOLDS(leaf->stats.joined == 0);
    send_beacon(leaf, true_asn);
    HOLDS(leaf->stats.joined == 1);
    return 0;
}
