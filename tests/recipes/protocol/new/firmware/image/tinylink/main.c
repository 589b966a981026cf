/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `tinylink`: secures frames of 32 octets of payload one after the other, and counts them. */
#include <wardmote/aes128.h>
#include <wardmote/tinylink.h>

#define PAYLOAD_LEN 32

/* For an observer: frames so far. */
extern volatile uint32_t tinylink_frames;
__attribute__((used)) volatile uint32_t tinylink_frames;

int main(void)
{
    static const uint8_t key[16] = {1, 2, 3, 4};
    static wm_aes128_small_key aes;
    static wm_tinylink node = {&aes.cipher, 1, 2, 0, 0};
    static uint8_t frame[WM_TINYLINK_FRAME_MAX];
    uint8_t len;

    wm_aes128_small_init(&aes, key);
    while (wm_tinylink_secure(&node, frame, sizeof frame, PAYLOAD_LEN, &len) == WM_OK) {
        tinylink_frames++;
    }
    for (;;) {
        __asm__ volatile("");
    }
}
