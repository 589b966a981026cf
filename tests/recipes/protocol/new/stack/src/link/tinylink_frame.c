/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of tinylink: reading and writing its header. */
#include <wardmote/octets.h>
#include <wardmote/tinylink.h>

wm_status wm_tinylink_parse(const uint8_t *frame, uint8_t len, wm_tinylink_header *header)
{
    if (len < WM_TINYLINK_HEADER_LEN + WM_TINYLINK_MIC_LEN) {
        return WM_ERR_MALFORMED;
    }
    if (len > WM_TINYLINK_FRAME_MAX) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    header->destination = wm_load_be16(frame);
    header->source = wm_load_be16(frame + 2);
    header->counter = wm_load_be32(frame + 4);
    return WM_OK;
}

void wm_tinylink_build(const wm_tinylink_header *header, uint8_t octets[WM_TINYLINK_HEADER_LEN])
{
    wm_store_be16(octets, header->destination);
    wm_store_be16(octets + 2, header->source);
    wm_store_be32(octets + 4, header->counter);
}
