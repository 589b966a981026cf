/* SPDX-License-Identifier: BSD-3-Clause */
/* The procedures of tinylink. Order of checks on arrival: length, addresses, counter, MIC. Nothing
 * is stored before the MIC is right. */
#include <wardmote/ccm.h>
#include <wardmote/octets.h>
#include <wardmote/tinylink.h>

#define NONCE_LEN 13
#define USED_UP UINT32_MAX

static void make_nonce(const wm_tinylink_header *header, uint8_t nonce[NONCE_LEN])
{
    for (uint8_t i = 0; i < NONCE_LEN; i++) {
        nonce[i] = 0;
    }
    wm_store_be16(nonce, header->source);
    wm_store_be32(nonce + 2, header->counter);
}

wm_status wm_tinylink_secure(wm_tinylink *node, uint8_t *frame, uint8_t capacity,
                             uint8_t payload_len, uint8_t *len)
{
    const wm_tinylink_header header = {node->peer, node->own, node->next_counter};
    uint8_t *const payload = frame + WM_TINYLINK_HEADER_LEN;
    uint8_t nonce[NONCE_LEN];
    wm_status status;

    if (payload_len > WM_TINYLINK_PAYLOAD_MAX ||
        capacity < WM_TINYLINK_HEADER_LEN + payload_len + WM_TINYLINK_MIC_LEN) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (node->next_counter == USED_UP) {
        return WM_ERR_COUNTER;
    }
    node->next_counter++;
    wm_tinylink_build(&header, frame);
    make_nonce(&header, nonce);
    status = wm_ccm_seal(node->cipher, nonce, frame, WM_TINYLINK_HEADER_LEN, payload, payload_len,
                         payload + payload_len, WM_TINYLINK_MIC_LEN);
    *len = (uint8_t)(WM_TINYLINK_HEADER_LEN + payload_len + WM_TINYLINK_MIC_LEN);
    return status;
}

wm_status wm_tinylink_unsecure(wm_tinylink *node, uint8_t *frame, uint8_t len, uint8_t *payload_len)
{
    wm_tinylink_header header;
    uint8_t *const payload = frame + WM_TINYLINK_HEADER_LEN;
    const uint8_t octets = (uint8_t)(len - WM_TINYLINK_HEADER_LEN - WM_TINYLINK_MIC_LEN);
    uint8_t nonce[NONCE_LEN];
    wm_status status = wm_tinylink_parse(frame, len, &header);

    if (status != WM_OK) {
        return status;
    }
    if (header.destination != node->own || header.source != node->peer) {
        return WM_ERR_NOT_FOR_US;
    }
    if (header.counter < node->least_heard || header.counter == USED_UP) {
        return WM_ERR_COUNTER;
    }
    make_nonce(&header, nonce);
    status = wm_ccm_open(node->cipher, nonce, frame, WM_TINYLINK_HEADER_LEN, payload, octets,
                         payload + octets, WM_TINYLINK_MIC_LEN);
    if (status == WM_OK) {
        node->least_heard = header.counter + 1;
        *payload_len = octets;
    }
    return status;
}
