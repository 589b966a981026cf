/* SPDX-License-Identifier: BSD-3-Clause */
/* A C++17 program of another project: secures a frame, opens it, and prints the payload. */
#include <array>
#include <cstdio>
#include <wardmote/aes128.h>
#include <wardmote/link_security.h>
#include <wardmote/version.h>

/* An engine of that project, as a cipher. */
struct engine_key {
    wm_cipher cipher;
    uint8_t schedule;
};
WM_CIPHER_KEY_CHECK(engine_key);

int main()
{
    const std::array<uint8_t, 16> octets{0xde, 0xad, 0xbe, 0xef};
    wm_aes128_tab_key key;
    wm_aes128_tab_init(&key, octets.data());
    wm_security security{};
    security.cipher = &key.cipher;
    security.profile = WM_PROFILE_2015;

    wm_mhr mhr{};
    mhr.type = WM_FRAME_DATA;
    mhr.version = WM_VERSION_2015;
    mhr.security_enabled = true;
    mhr.src = {WM_ADDR_EXT, {1}};
    mhr.dst = {WM_ADDR_EXT, {2}};
    mhr.dst_pan = 0xabcd;
    mhr.ash.level = 5;
    mhr.ash.key_id_mode = 1;
    mhr.ash.key_index = 1;
    std::array<uint8_t, WM_FRAME_MAX> frame;
    wm_psdu_len header = 0;
    if (wm_mhr_build(&mhr, frame.data(), frame.size(), &header) != WM_OK) {
        return 1;
    }
    frame[header] = 42;
    auto len = static_cast<wm_psdu_len>(header + 1);
    if (wm_frame_secure(&security, frame.data(), frame.size(), &len) != WM_OK || frame[header] == 42 ||
        wm_frame_unsecure(&security, frame.data(), &len) != WM_OK) {
        return 2;
    }
    std::printf("%s %u %d\n", WARDMOTE_VERSION, frame[header], WM_PSDU_MAX);
    return 0;
}
