/* SPDX-License-Identifier: BSD-3-Clause */
/* Two neighbours have the same short address, each in a PAN of its own. An Enh-Ack of the one must
 * not acknowledge a frame to the other. */
#include "tables.h"

#define OTHER_PAN 0xBBBB
#define NEIGHBOUR {.mode = WM_ADDR_SHORT, .octet = {0x12, 0x34}}
#define OWN {.mode = WM_ADDR_SHORT, .octet = {0, 1}}

static const wm_device_descriptor neighbours[] = {
    {.pan = PAN, .short_addr = 0x1234, .ext_addr = {1}},
    {.pan = OTHER_PAN, .short_addr = 0x1234, .ext_addr = {2}}};

/* Answers the frame with sequence number 42 as one of the neighbours. */
static wm_status answer(wm_security_pib *pib, const wm_mhr *sent, uint16_t device)
{
    const wm_mhr mhr = {.type = WM_FRAME_ACK,
                        .version = WM_VERSION_2015,
                        .pan_id_compression = true,
                        .seq = 42,
                        .dst_pan = neighbours[device].pan,
                        .dst = OWN,
                        .src = NEIGHBOUR};
    uint8_t frame[WM_FRAME_MAX];
    wm_psdu_len len;
    wm_incoming found;

    secure_as(neighbours[device].ext_addr, mhr, 77, frame, &len);
    return wm_incoming_ack(pib, sent, frame, &len, &found);
}

int main(void)
{
    const wm_mhr mhr = {.type = WM_FRAME_DATA,
                        .version = WM_VERSION_2015,
                        .ack_request = true,
                        .pan_id_compression = true,
                        .seq = 42,
                        .dst_pan = PAN,
                        .dst = NEIGHBOUR,
                        .src = OWN};
    wm_key_device devices[] = {{.counter = {.slot = WM_SLOT_VOLATILE}, .device = 0},
                               {.counter = {.slot = WM_SLOT_VOLATILE}, .device = 1}};
    wm_key_descriptor key = key_of_all();
    wm_security_pib pib = pib_of(&key);
    uint8_t frame[WM_FRAME_MAX];
    wm_psdu_len len;
    wm_frame_map map;
    wm_mhr sent;

    key.devices = devices;
    key.device_count = 2;
    pib.devices = neighbours;
    pib.device_count = 2;
    pib.counter.slot = WM_SLOT_VOLATILE;
    pib.ext_addr[0] = 9;
    MUST(wm_pib_check(&pib) == WM_OK);
    MUST(wm_outgoing_build(&pib, &params, &mhr, secret, 3, frame, sizeof frame, &len) == WM_OK);
    MUST(wm_frame_parse(frame, len, &sent, &map) == WM_OK);
    HOLDS(answer(&pib, &sent, 1) < 0);
    MUST(answer(&pib, &sent, 0) == WM_OK);
    return 0;
}
