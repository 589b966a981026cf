/* SPDX-License-Identifier: BSD-3-Clause */
// The smallest complete use of the stack: secures one 802.15.4 data frame at ENC-MIC-32 and
// unsecures it again.
//
//   make -C stack build/libwardmote.a
//   cc -Istack/include examples/secure_frame.c stack/build/libwardmote.a -o secure_frame
//   ./secure_frame
//
// Prints the secured frame, then the payload that comes out of it.
#include <stdio.h>
#include <string.h>
#include <wardmote/aes128.h>
#include <wardmote/link_security.h>

int main(void)
{
    static const uint8_t key_octets[16] = {0xde, 0xad, 0xbe, 0xef, 0xfa, 0xce, 0xca, 0xfe,
                                           0xde, 0xad, 0xbe, 0xef, 0xfa, 0xce, 0xca, 0xfe};
    static const char payload[] = "21.5 degrees";
    wm_mhr mhr = {
        .type = WM_FRAME_DATA,
        .version = WM_VERSION_2015,
        .security_enabled = true,
        .ack_request = true,
        .seq = 7,
        .dst_pan = 0xabcd,
        .dst = {WM_ADDR_EXT, {0x00, 0x12, 0x4b, 0, 0, 0, 0, 1}},
        .src = {WM_ADDR_EXT, {0x00, 0x12, 0x4b, 0, 0, 0, 0, 2}},
        .ash = {.level = 5, .key_id_mode = 1, .key_index = 2, .frame_counter = 1},
    };
    wm_aes128_tab_key key;
    wm_aes128_tab_init(&key, key_octets);
    wm_security security = {
        .cipher = &key.cipher, .profile = WM_PROFILE_2015, .nonce_form = WM_NONCE_COUNTER};

    uint8_t frame[WM_FRAME_MAX];
    uint8_t header_len, len;
    if (wm_mhr_build(&mhr, frame, sizeof frame, &header_len) != WM_OK)
        return 1;
    memcpy(frame + header_len, payload, sizeof payload);
    len = (uint8_t)(header_len + sizeof payload);
    if (wm_frame_secure(&security, frame, sizeof frame, &len) != WM_OK)
        return 1;
    for (uint8_t i = 0; i < len; i++)
        printf("%02x", frame[i]);
    printf("\n");

    if (wm_frame_unsecure(&security, frame, &len) != WM_OK)
        return 1;
    printf("%s\n", (const char *)frame + header_len);
    return 0;
}
