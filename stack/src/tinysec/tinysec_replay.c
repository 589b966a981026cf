/* SPDX-License-Identifier: BSD-3-Clause */
/* TinySec's table of senders (the paper, section 3.1.4 on what such a table can do). */
#include <wardmote/octets.h>
#include "tinysec_packet.h"
#include "tinysec_replay.h"

/* Counter and source stand in the iv in the order of the profile. */
static uint16_t part_of_iv(const wm_tinysec_receiver *receiver, bool second)
{
    return wm_load_le16(receiver->packet + TINYSEC_HEADER + (second ? 2 : 0));
}

uint16_t wm_tinysec_source(const wm_tinysec_receiver *receiver)
{
    return part_of_iv(receiver, receiver->node->profile == WM_TINYSEC_SHIPPED);
}

wm_status wm_tinysec_hear(wm_tinysec_replay *replay, const wm_tinysec_receiver *receiver)
{
    const uint16_t src = wm_tinysec_source(receiver);
    const uint16_t counter = part_of_iv(receiver, receiver->node->profile != WM_TINYSEC_SHIPPED);
    if (src == receiver->node->address) { /* our own, sent back */
        return WM_ERR_COUNTER;
    }
    if (replay == NULL) {
        return WM_OK;
    }
    if (counter == UINT16_MAX) {
        return WM_ERR_COUNTER;
    }
    for (uint8_t i = 0; i < replay->heard; i++) {
        wm_tinysec_sender *sender = replay->senders + i;
        if (sender->src == src) {
            if (counter < sender->next) {
                return WM_ERR_COUNTER;
            }
            sender->next = (uint16_t)(counter + 1);
            return WM_OK;
        }
    }
    if (replay->heard >= replay->capacity) {
        return WM_ERR_UNAVAILABLE_DEVICE;
    }
    replay->senders[replay->heard++] =
        (wm_tinysec_sender){.src = src, .next = (uint16_t)(counter + 1)};
    return WM_OK;
}
