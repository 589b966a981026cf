/* SPDX-License-Identifier: BSD-3-Clause */
/* Secures a frame of IEEE 802.15.4 every second at ENC-MIC-32 and prints it, then opens it again.
 *
 * The counter begins at 0 at every reset. A node that keeps its key must not do that: see
 * wardmote/counter_store.h. */
#include <wardmote.h>

static const uint8_t key_octets[16] = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
                                       0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf};
static wm_aes128_small_key key;
static uint32_t counter;

/* Writes header and payload of a data frame in clear; its octets, 0 if it has no room. */
static uint8_t built(uint8_t *frame, uint8_t size, uint8_t payload)
{
    wm_mhr mhr = {};
    uint8_t len = 0;
    mhr.type = WM_FRAME_DATA;
    mhr.version = WM_VERSION_2015;
    mhr.security_enabled = true;
    mhr.dst_pan = 0xabcd;
    mhr.dst = {WM_ADDR_EXT, {0, 0, 0, 0, 0, 0, 0, 1}};
    mhr.src = {WM_ADDR_EXT, {0, 0, 0, 0, 0, 0, 0, 2}};
    mhr.ash.level = 5;
    mhr.ash.key_id_mode = 1;
    mhr.ash.key_index = 1;
    mhr.ash.frame_counter = counter++;
    if (wm_mhr_build(&mhr, frame, size - 1, &len) != WM_OK) {
        return 0;
    }
    frame[len] = payload;
    return len + 1;
}

static void print(const uint8_t *octets, uint8_t len)
{
    for (uint8_t i = 0; i < len; i++) {
        Serial.print(octets[i] >> 4, HEX);
        Serial.print(octets[i] & 15, HEX);
    }
    Serial.println();
}

void setup()
{
    Serial.begin(115200);
    wm_aes128_small_init(&key, key_octets);
}

void loop()
{
    uint8_t frame[WM_FRAME_MAX];
    wm_security security = {};
    security.cipher = &key.cipher;
    security.profile = WM_PROFILE_2015;
    uint8_t len = built(frame, sizeof frame, 42);
    if (len == 0 || wm_frame_secure(&security, frame, sizeof frame, &len) != WM_OK) {
        Serial.println("not secured");
        return;
    }
    print(frame, len);
    if (wm_frame_unsecure(&security, frame, &len) != WM_OK) {
        Serial.println("not opened");
        return;
    }
    print(frame, len);
    delay(1000);
}
