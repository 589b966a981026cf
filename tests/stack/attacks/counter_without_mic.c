/* SPDX-License-Identifier: BSD-3-Clause */
/* Anybody can write a frame of level 4. One that says nearly the last counter must not mute the
 * true peer. */
#include "node.h"

#define PAYLOAD 10

/* A data frame of the leaf at level 4. */
static void send(wm_tsch *root, uint32_t counter)
{
    wm_mhr mhr = {.type = WM_FRAME_DATA,
                  .version = WM_VERSION_2015,
                  .security_enabled = true,
                  .dst_pan = PAN,
                  .dst = {.mode = WM_ADDR_EXT},
                  .src = {.mode = WM_ADDR_EXT},
                  .ash = {.level = 4, .key_id_mode = 1, .key_index = DATA_KEY}};
    uint8_t frame[WM_FRAME_MAX] = {0};
    wm_psdu_len len;

    memcpy(mhr.dst.octet, root_address, 8);
    memcpy(mhr.src.octet, leaf_address, 8);
    mhr.ash.frame_counter = counter;
    MUST(wm_mhr_build(&mhr, frame, sizeof frame, &len) == WM_OK);
    wait_for(root, WM_TSCH_RX_LISTEN);
    hear(root, frame, (wm_psdu_len)(len + PAYLOAD));
}

int main(void)
{
    wm_tsch *root = attacked_node((wm_tsch_config){
        .role = WM_TSCH_ROOT, .level = 4, .profile = WM_PROFILE_2011, .counter_carried = true});

    wm_tsch_start(root);
    send(root, 0xFFFFFFFE);
    MUST(root->stats.data_received == 1);
    send(root, 5);
    HOLDS(root->stats.data_received == 2);
    return 0;
}
