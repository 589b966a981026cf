/* SPDX-License-Identifier: BSD-3-Clause */
/* Two nodes with key, device and level tables. One sends. The other admits the frame once; it
 * refuses a replay, a forgery and the same words in clear, and says why each time. Built with util,
 * store, cipher/aes128*, mode/ccm.c and, of link, ieee802154.c, ie.c, eb.c, tsch_time.c,
 * link_security.c and security_*.c. */
#include <stdio.h>
#include <string.h>
#include <wardmote/aes128.h>
#include <wardmote/security_procedures.h>

#define PAN 0xABCD

static const uint8_t key_octets[16] = "sixteen octets!";
static const wm_addr sensor = {WM_ADDR_EXT, {0x00, 0x12, 0x4B, 0, 0, 0, 0, 1}};
static const wm_addr sink = {WM_ADDR_EXT, {0x00, 0x12, 0x4B, 0, 0, 0, 0, 2}};

/* The procedures never write these, so they may be in flash. */
static const wm_key_id_lookup lookup = {.key_id_mode = 1, .key_index = 1};
static const wm_key_usage usage = {.frame_type = WM_FRAME_DATA};
static const wm_device_descriptor known = {
    PAN, WM_NO_SHORT_ADDR, {0x00, 0x12, 0x4B, 0, 0, 0, 0, 1}, false};
static const wm_level_descriptor only_level_5 = {.frame_type = WM_FRAME_DATA,
                                                 .allowed_levels = WM_LEVEL_SET(5)};

/* The procedures write this: the sensor's incoming counter under the key. It is volatile because
 * this program and its key end together; a node names a slot of a store (WM_SLOT). */
static wm_aes128_tab_key aes;
static wm_key_device under_key = {.counter = {.slot = WM_SLOT_VOLATILE}, .device = 0};
static const wm_key_descriptor key = {
    .id_lookup = &lookup,
    .id_lookup_count = 1,
    .usage = &usage,
    .usage_count = 1,
    .devices = &under_key,
    .device_count = 1,
    .cipher = &aes.cipher,
};

static wm_security_pib node(const wm_addr *self)
{
    wm_security_pib pib = {
        .keys = &key,
        .key_count = 1,
        .devices = &known,
        .device_count = 1,
        .levels = &only_level_5,
        .level_count = 1,
        .counter = {.slot = WM_SLOT_VOLATILE},
        .pan = PAN,
        .pan_coord_short = WM_NO_SHORT_ADDR,
        .edition = WM_EDITION_2015,
    };

    memcpy(pib.ext_addr, self->octet, sizeof pib.ext_addr);
    return pib;
}

static void admit(wm_security_pib *pib, const char *what, const uint8_t *frame, uint8_t len)
{
    uint8_t received[WM_FRAME_MAX];
    wm_incoming found;
    wm_status status;

    memcpy(received, frame, len);
    status = wm_incoming_unsecure(pib, received, &len, &found);
    if (status == WM_OK) {
        printf("%s: %.*s\n", what, (int)(len - found.payload),
               (const char *)received + found.payload);
    } else {
        printf("%s: refused, status %d\n", what, (int)status);
    }
}

int main(void)
{
    const wm_security_params params = {.level = 5, .key_id_mode = 1, .key_index = 1};
    const wm_mhr mhr = {.type = WM_FRAME_DATA,
                        .version = WM_VERSION_2015,
                        .dst_pan = PAN,
                        .dst = sink,
                        .src = sensor};
    const char words[] = "21.5 degrees";
    wm_security_pib sender = node(&sensor);
    wm_security_pib receiver = node(&sink);
    uint8_t frame[WM_FRAME_MAX];
    uint8_t clear[WM_FRAME_MAX];
    uint8_t len;
    uint8_t clear_len;

    wm_aes128_tab_init(&aes, key_octets);
    if (wm_pib_check(&sender) != WM_OK || wm_pib_check(&receiver) != WM_OK ||
        wm_outgoing_build(&sender, &params, &mhr, (const uint8_t *)words, sizeof words - 1, frame,
                          sizeof frame, &len) ||
        wm_outgoing_build(&sender, &(wm_security_params){.level = 0}, &mhr, (const uint8_t *)words,
                          sizeof words - 1, clear, sizeof clear, &clear_len) != WM_NOT_SECURED) {
        fprintf(stderr, "a table or the frame is wrong\n");
        return 1;
    }
    frame[len - 1] ^= 1;
    admit(&receiver, "forged", frame, len);
    frame[len - 1] ^= 1;
    admit(&receiver, "first", frame, len);
    admit(&receiver, "replayed", frame, len);
    admit(&receiver, "in clear", clear, clear_len);
    return 0;
}
