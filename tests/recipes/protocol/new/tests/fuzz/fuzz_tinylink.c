/* SPDX-License-Identifier: BSD-3-Clause */
/* Unsecuring tinylink frames as received. Judged: a frame that is accepted, secured again under its
 * counter, gives the octets that were accepted; a refused one leaves the node as it was, and the
 * octets unchanged, or zero where its MIC was wrong. */
#include <wardmote/tinylink.h>
#include "harness.h"

#define OWN 0x0102
#define PEER 0x0304

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t key[16] = {1};
    uint8_t frame[UINT8_MAX], payload_len = 0, len = size > UINT8_MAX ? UINT8_MAX : (uint8_t)size;
    uint8_t *const at = frame + (UINT8_MAX - len); /* reading on is reading outside */
    wm_aes128_tab_key aes;
    wm_tinylink node = {&aes.cipher, OWN, PEER, 0, 0}, was = node;

    wm_aes128_tab_init(&aes, key);
    memcpy(at, data, len);
    const wm_status status = wm_tinylink_unsecure(&node, at, len, &payload_len);
    if (status == WM_OK) {
        wm_tinylink sender = {&aes.cipher, PEER, OWN, node.least_heard - 1, 0};
        uint8_t again;
        FUZZ_REQUIRE(payload_len == len - WM_TINYLINK_HEADER_LEN - WM_TINYLINK_MIC_LEN);
        FUZZ_REQUIRE(wm_tinylink_secure(&sender, at, len, payload_len, &again) == WM_OK);
        FUZZ_REQUIRE(again == len && memcmp(at, data, len) == 0);
        return FUZZ_TAKEN;
    }
    FUZZ_REQUIRE(node.least_heard == was.least_heard && payload_len == 0);
    if (status == WM_ERR_SECURITY) {
        FUZZ_REQUIRE(memcmp(at, data, WM_TINYLINK_HEADER_LEN) == 0);
        FUZZ_REQUIRE(fuzz_all(at + WM_TINYLINK_HEADER_LEN,
                              (size_t)(len - WM_TINYLINK_HEADER_LEN - WM_TINYLINK_MIC_LEN), 0));
    } else {
        FUZZ_REQUIRE(memcmp(at, data, len) == 0);
    }
    return FUZZ_TAKEN;
}
