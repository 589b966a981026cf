/* SPDX-License-Identifier: BSD-3-Clause */
/* A node that receives TinySec packets: made by another node, changed, under other keys, or any
 * octets, in pieces. Its keys are the network's, or of links, or of groups.
 *
 * Judged: what another node made and nobody changed is answered as policy, address, group, keys and
 * table have it; what is accepted, secured again, gives the octets that came; a refusal leaves message and
 * table as they were, and only a wrong tag counts; the receiver is wiped. */
#include <wardmote/counter_slot.h>
#include <wardmote/octets.h>
#include <wardmote/skipjack.h>
#include <wardmote/tinysec.h>
#include "harness.h"

#define SENDERS 3
#define OURS 2
#define GROUP 0x7D
#define PAIRS 3
#define PEER 3 /* address of the first; the others follow */

typedef struct pair {
    wm_skipjack_key encryption, mac;
} pair;

/* The pairs of the keyring, the first of which is the network's too, and one of a stranger. */
typedef struct all_keys {
    pair pairs[PAIRS + 1];
    wm_tinysec_keys table[PAIRS];
    wm_tinysec_keyring ring;
} all_keys;

/* A packet on its way, and what is known of it. */
typedef struct packet {
    uint8_t octet[64];
    uint8_t len;
    bool made; /* by a node with the right keys, and not changed since */
    uint8_t pair;
    wm_tinysec_message message;
    uint16_t counter;
} packet;

/* A counter store that grants everything: which IVs are used is not the question here. */
static uint32_t limits[1];
static wm_counter_store granting(uint32_t counter)
{
    limits[0] = counter;
    return (wm_counter_store){.limit = limits, .slots = 1, .block = 2};
}

static void make_keys(pair *keys, uint8_t which)
{
    uint8_t octets[10] = {which, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    wm_skipjack_init_both(&keys->encryption, octets);
    octets[9] = 0;
    wm_skipjack_init_both(&keys->mac, octets);
}

/* Makes a packet as another node does, without a store: its counter is the next. */
static wm_status secure(const wm_tinysec *like, const pair *keys, const wm_tinysec_message *message,
                        uint16_t src, uint16_t counter, wm_tinysec_mode mode, packet *to)
{
    static const wm_counter_port port = {.segment_octets = 0};
    wm_counter_store store = granting((uint32_t)counter + 1);
    wm_counter_slot slot;
    wm_tinysec sender = *like;
    sender.keyring = NULL;
    sender.encryption = &keys->encryption.cipher;
    sender.mac = &keys->mac.cipher;
    store.port = &port;
    store.written[0] = 1;
    wm_counter_slot_init(&slot, &store, 0);
    sender.store = &slot.counter;
    sender.send = mode;
    sender.address = src;
    sender.counter = counter;
    return wm_tinysec_secure(&sender, message, to->octet, sizeof to->octet, &to->len);
}

/* Takes a packet out of the fuzzer's octets. */
static void take_packet(fuzz_input *in, const wm_tinysec *node, const all_keys *keys, packet *to)
{
    const uint8_t how = fuzz_u8(in);
    memset(to, 0, sizeof *to);
    if ((how & 0x83u) == 0x83u) {
        to->len = fuzz_u8(in) % sizeof to->octet;
        fuzz_octets(in, to->octet, to->len);
        return;
    }
    wm_tinysec sender = *node;
    to->pair = (how & 4u) != 0 ? PAIRS : 0;
    if (to->pair == 0 && node->keyring != NULL) {
        to->pair = fuzz_u8(in) % PAIRS;
    }
    sender.group = (how & 8u) != 0 ? GROUP ^ 1 : GROUP;
    to->message.dst = (how & 16u) != 0 ? WM_TINYSEC_BROADCAST : fuzz_u8(in) & 3u;
    to->message.src = fuzz_u8(in) & 7u;
    to->message.type = fuzz_u8(in);
    to->message.len = fuzz_u8(in) % (WM_TINYSEC_DATA_MAX + 1);
    to->message.mode = (wm_tinysec_mode)(how & 3u);
    to->counter = fuzz_u16(in);
    fuzz_octets(in, to->message.data, to->message.len);
    const wm_status status = secure(&sender, keys->pairs + to->pair, &to->message, to->message.src,
                                    to->counter, to->message.mode, to);
    FUZZ_REQUIRE(status == (to->message.mode >= WM_TINYSEC_PLAIN ? WM_NOT_SECURED : WM_OK));
    to->made = (how & 4u) == 0;
    if ((how & 32u) != 0) {
        const uint8_t at = fuzz_u8(in) % to->len, change = fuzz_u8(in);
        to->octet[at] ^= change;
        to->made = to->made && change == 0;
    }
}

/* Whether it is known what must be answered: not for a packet in the other order of plain ones, nor
 * for the tag of one link under another's key. */
static bool judged(const wm_tinysec *node, const packet *came)
{
    const wm_tinysec_message *message = &came->message;
    const bool standard = message->mode == WM_TINYSEC_STANDARD;
    const bool link = node->keyring != NULL && node->keyring->keying == &wm_tinysec_link;
    const unsigned peer = (unsigned)message->src - PEER;
    return came->made && standard == (node->accept == WM_TINYSEC_STANDARD_CRC) &&
           (!link || message->mode != WM_TINYSEC_AE || peer >= PAIRS || peer == came->pair);
}

/* What must be answered to it. */
static wm_status worth(const wm_tinysec *node, const packet *came, bool same_group)
{
    const wm_tinysec_message *message = &came->message;
    const bool plain = message->mode >= WM_TINYSEC_PLAIN;
    if (node->accept != WM_TINYSEC_ANY && plain == (node->accept == WM_TINYSEC_AUTHENTICATED)) {
        return WM_ERR_IMPROPER_SECURITY_LEVEL;
    }
    if ((message->dst != OURS && message->dst != WM_TINYSEC_BROADCAST) || (plain && !same_group)) {
        return WM_ERR_NOT_FOR_US;
    }
    if (plain) {
        return WM_NOT_SECURED;
    }
    if (node->keyring != NULL && node->keyring->keying == &wm_tinysec_link &&
        (message->dst == WM_TINYSEC_BROADCAST ||
         (message->mode == WM_TINYSEC_AE && (unsigned)message->src - PEER >= PAIRS))) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    if (message->mode == WM_TINYSEC_AE && message->src == OURS) {
        return WM_ERR_COUNTER;
    }
    if (message->mode != WM_TINYSEC_AE || node->replay == NULL) {
        return WM_OK;
    }
    if (came->counter == UINT16_MAX) {
        return WM_ERR_COUNTER;
    }
    for (uint8_t i = 0; i < node->replay->heard; i++) {
        if (node->replay->senders[i].src == message->src) {
            return came->counter < node->replay->senders[i].next ? WM_ERR_COUNTER : WM_OK;
        }
    }
    return node->replay->heard < node->replay->capacity ? WM_OK : WM_ERR_UNAVAILABLE_DEVICE;
}

/* What was accepted, made again, is what came. */
static void judge_accepted(const wm_tinysec *node, const all_keys *keys, const packet *came,
                           const wm_tinysec_message *got)
{
    const bool link = node->keyring != NULL && node->keyring->keying == &wm_tinysec_link;
    FUZZ_REQUIRE(got->len <= WM_TINYSEC_DATA_MAX);
    uint16_t counter = 0, src = OURS;
    if (got->mode == WM_TINYSEC_AE) {
        const uint8_t *iv = came->octet + 4;
        const bool shipped = node->profile == WM_TINYSEC_SHIPPED;
        counter = wm_load_le16(iv + (shipped ? 0 : 2));
        src = wm_load_le16(iv + (shipped ? 2 : 0));
        FUZZ_REQUIRE(got->src == src);
        if (got->len < 8) {
            return; /* the filling is not told */
        }
    } else {
        FUZZ_REQUIRE((got->src != WM_TINYSEC_NOBODY) == (link && got->mode == WM_TINYSEC_AUTH));
    }
    uint8_t fit = 0;
    for (uint8_t i = 0; i < (node->keyring != NULL ? PAIRS : 1); i++) {
        packet again = {.len = 0};
        FUZZ_REQUIRE(secure(node, keys->pairs + i, got, src, counter, got->mode, &again) >= WM_OK);
        if (memcmp(again.octet, came->octet, again.len) == 0) {
            FUZZ_REQUIRE(!link || got->mode >= WM_TINYSEC_PLAIN || got->src == PEER + i);
            fit++;
        }
    }
    FUZZ_REQUIRE(fit != 0);
}

static void receive(fuzz_input *in, wm_tinysec *node, const all_keys *keys, const packet *came)
{
    const bool same_group = came->octet[came->message.mode == WM_TINYSEC_STANDARD ? 3 : 4] == GROUP;
    const wm_status wanted = judged(node, came) ? worth(node, came, same_group) : WM_OK;
    const uint16_t refused = node->refused;
    const uint8_t heard = node->replay != NULL ? node->replay->heard : 0;
    const uint8_t *exact = fuzz_copy(came->octet, came->len);
    wm_tinysec_receiver receiver;
    wm_tinysec_message got, untouched;
    memset(&untouched, 0xA5, sizeof untouched);
    memcpy(&got, &untouched, sizeof got);
    uint8_t at = 0, more = wm_tinysec_receive(&receiver, node);
    while (more != 0 && at < came->len) {
        uint8_t piece = (uint8_t)(1 + fuzz_u8(in) % 16);
        piece = piece > came->len - at ? (uint8_t)(came->len - at) : piece;
        more = wm_tinysec_take(&receiver, exact + at, piece);
        at = (uint8_t)(at + piece);
    }
    const wm_status status = wm_tinysec_accept_packet(node, &receiver, &got);
    FUZZ_REQUIRE(fuzz_all((const uint8_t *)&receiver, sizeof receiver, 0));
    FUZZ_REQUIRE(!judged(node, came) || status == wanted);
    FUZZ_REQUIRE(node->refused == refused + (status == WM_ERR_SECURITY));
    if (status < WM_OK) {
        FUZZ_REQUIRE(memcmp(&got, &untouched, sizeof got) == 0);
        FUZZ_REQUIRE(node->replay == NULL || node->replay->heard == heard);
    } else {
        FUZZ_REQUIRE(more == 0 && (status == WM_NOT_SECURED) == (got.mode >= WM_TINYSEC_PLAIN));
        judge_accepted(node, keys, came, &got);
    }
    free((void *)(uintptr_t)exact);
}

static void make_all_keys(all_keys *keys, const wm_tinysec_keying *keying)
{
    for (uint8_t i = 0; i <= PAIRS; i++) {
        make_keys(keys->pairs + i, (uint8_t)(1 + i));
    }
    for (uint8_t i = 0; i < PAIRS; i++) {
        keys->table[i] = (wm_tinysec_keys){.peer = (uint16_t)(PEER + i),
                                           .encryption = &keys->pairs[i].encryption.cipher,
                                           .mac = &keys->pairs[i].mac.cipher};
    }
    keys->ring = (wm_tinysec_keyring){.keys = keys->table, .count = PAIRS, .keying = keying};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint8_t how = fuzz_u8(&in);
    wm_tinysec_sender senders[SENDERS] = {{0, 0}};
    wm_tinysec_replay replay = {.senders = senders, .capacity = SENDERS};
    all_keys keys;
    packet came;
    make_all_keys(&keys, (how & 16u) != 0 ? &wm_tinysec_group : &wm_tinysec_link);
    wm_tinysec node = {.encryption = &keys.pairs[0].encryption.cipher,
                       .mac = &keys.pairs[0].mac.cipher,
                       .keyring = (how & 32u) != 0 ? &keys.ring : NULL,
                       .replay = (how & 1u) != 0 ? &replay : NULL,
                       .address = OURS,
                       .group = GROUP,
                       .profile = (how & 2u) != 0 ? WM_TINYSEC_SHIPPED : WM_TINYSEC_PAPER,
                       .accept = (wm_tinysec_accept)(how >> 2 & 3u)};
    FUZZ_REQUIRE(wm_tinysec_start(&node) == WM_OK);
    for (uint8_t i = 0; i < 8 && in.left != 0; i++) {
        take_packet(&in, &node, &keys, &came);
        receive(&in, &node, &keys, &came);
    }
    return FUZZ_TAKEN;
}
