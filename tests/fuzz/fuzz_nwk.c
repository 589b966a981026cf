/* SPDX-License-Identifier: BSD-3-Clause */
/* A node that receives NWK frames of ZigBee while its network goes from key to key: made by other
 * nodes, changed, or any octets.
 *
 * Judged: what a node made and nobody changed is answered as keys, table and counters have it, and
 * gives what was secured; nothing else is accepted under a MIC; a refusal leaves node and frame, or
 * zeros; counters of the node's own frames never come again, also over a reset. */
#include <wardmote/zigbee_nwk.h>
#include "zigbee_target.h"

#define SOURCES 4u /* the last one is the node itself */
#define OWN 3u
#define CAPACITY 2u
#define LEVEL_ENC 4u
#define FIRST 254u /* number of the first key */
#define STEPS 24u
#define AUX 14u

/* What the node must have learned. */
typedef struct heard {
    bool known, kept;
    uint32_t next;
    uint8_t sequence;
} heard;

typedef struct bench {
    wm_zigbee_nwk node;
    wm_zigbee_sender senders[CAPACITY];
    fuzz_counter own, of_sender;
    heard table[SOURCES];
    uint8_t active;    /* number of the active key */
    uint8_t following; /* of the one that was added; the same: none was */
    uint32_t sent;     /* least counter that its next frame may have */
} bench;

static void address_of(uint8_t source, uint8_t address[8])
{
    memset(address, 0x40, 8);
    address[7] = source;
}

/* Keys alternate: number n has one of two. */
static const wm_cipher *key_of(uint8_t number)
{
    return fuzz_key(number & 1u);
}

static bool newer(uint8_t a, uint8_t b)
{
    return a != b && (uint8_t)(a - b) < 0x80u;
}

static void make(bench *made, uint8_t how)
{
    memset(made, 0, sizeof *made);
    fuzz_counter_make(&made->own);
    fuzz_counter_make(&made->of_sender);
    made->node.counter = &made->own.counter;
    made->node.senders = made->senders;
    made->node.capacity = CAPACITY;
    made->node.level = how & 7u;
    made->node.accept_clear = (how & 8u) != 0;
    made->node.ignore_level_bits = (how & 16u) != 0;
    address_of(OWN, made->node.address);
    if ((how & 32u) != 0) {
        made->node.known = 1;
        made->senders[0].counter = &made->of_sender.counter;
        address_of(0, made->senders[0].address);
        made->table[0] = (heard){true, true, 0, FIRST};
    }
    made->active = made->following = FIRST;
    FUZZ_REQUIRE(wm_zigbee_nwk_start(&made->node, key_of(FIRST), FIRST) == WM_OK);
}

static uint8_t level_of(const bench *of)
{
    return of->node.level == 0 ? WM_ZIGBEE_LEVEL_USUAL : of->node.level;
}

/* A NWK frame in clear whose header may have every field. */
static uint8_t take_clear(fuzz_input *in, uint8_t *clear)
{
    const uint8_t shape = fuzz_u8(in);
    uint8_t at = 8, payload = fuzz_u8(in) % 60u;
    clear[0] = (uint8_t)(0x08u | (shape & 1u));
    clear[1] =
        (uint8_t)((shape & 2u) << 2 | (shape & 4u) << 2 | (shape & 8u) >> 3 | (shape & 16u) >> 2);
    fuzz_octets(in, clear + 2, 6);
    at = (uint8_t)(at + 8u * (shape >> 1 & 1u) + 8u * (shape >> 2 & 1u) + (shape >> 3 & 1u));
    memset(clear + 8, 0x77, (size_t)(at - 8u));
    if ((shape & 16u) != 0) {
        const uint8_t relays = fuzz_u8(in) % 5u;
        clear[at] = relays;
        memset(clear + at + 1, 0x55, 1u + 2u * relays);
        at = (uint8_t)(at + 2u + 2u * relays);
    }
    fuzz_octets(in, clear + at, payload);
    return (uint8_t)(at + payload);
}

static void take_frame(fuzz_input *in, const bench *of, fuzz_zigbee_frame *to)
{
    const uint8_t how = fuzz_u8(in);
    memset(to, 0, sizeof *to);
    if ((how & 7u) == 7u) {
        to->len = fuzz_u8(in);
        fuzz_octets(in, to->octet, to->len);
        return;
    }
    to->source = how >> 3 & 3u;
    to->key = (uint8_t)(of->active + (how >> 5 & 3u) - 1u);
    to->counter = fuzz_zigbee_counter(in);
    to->clear_len = take_clear(in, to->clear);
    to->len = to->clear_len;
    memcpy(to->octet, to->clear, to->len);
    wm_zigbee_nwk maker = of->node;
    fuzz_counter counter;
    wm_zigbee_nwk_header header;
    fuzz_counter_make(&counter);
    address_of(to->source, maker.address);
    maker.counter = &counter.counter;
    maker.known = 0;
    FUZZ_REQUIRE(wm_zigbee_nwk_start(&maker, key_of(to->key), to->key) == WM_OK);
    maker.next = to->counter;
    FUZZ_REQUIRE(wm_zigbee_nwk_parse(to->clear, to->len, &header) == WM_OK);
    const wm_status status = wm_zigbee_nwk_secure(&maker, to->octet, sizeof to->octet, &to->len);
    FUZZ_REQUIRE(status == WM_OK || (status == WM_NOT_AUTHENTICATED && level_of(of) == LEVEL_ENC));
    FUZZ_REQUIRE(to->len == to->clear_len + AUX + wm_zigbee_mic_len(level_of(of)));
    to->made = true;
    if ((how & 7u) >= 5u) {
        fuzz_zigbee_change(in, to, header.len, of->node.ignore_level_bits);
    }
}

/* What must be answered to a frame that a node made and nobody changed. */
static wm_status worth(const bench *of, const fuzz_zigbee_frame *came)
{
    uint8_t known = 0;
    for (uint8_t i = 0; i < SOURCES; i++) {
        known = (uint8_t)(known + of->table[i].known);
    }
    if (came->key != of->active && came->key != of->following) {
        return WM_ERR_UNAVAILABLE_KEY;
    }
    if (came->source == OWN) {
        return WM_ERR_COUNTER;
    }
    const heard *sender = of->table + came->source;
    if (!sender->known) {
        return known < CAPACITY ? WM_OK : WM_ERR_UNAVAILABLE_DEVICE;
    }
    if (came->key == sender->sequence) {
        return came->counter < sender->next ? WM_ERR_COUNTER : WM_OK;
    }
    return newer(came->key, sender->sequence) ? WM_OK : WM_ERR_COUNTER;
}

static void receive(bench *of, const fuzz_zigbee_frame *came)
{
    const bench before = *of;
    const wm_status wanted = came->made ? worth(of, came) : WM_OK;
    uint8_t *frame = fuzz_copy(came->octet, came->len), len = came->len;
    wm_zigbee_nwk_incoming incoming;
    const wm_status status = wm_zigbee_nwk_unsecure(&of->node, frame, &len, &incoming);
    const bool authentic = level_of(of) != LEVEL_ENC;
    if (came->made && wanted == WM_OK) {
        FUZZ_REQUIRE(status == (authentic ? WM_OK : WM_NOT_AUTHENTICATED));
        FUZZ_REQUIRE(len == came->clear_len && memcmp(frame, came->clear, len) == 0);
        FUZZ_REQUIRE(incoming.aux.counter == came->counter &&
                     incoming.aux.source[7] == came->source);
        FUZZ_REQUIRE(incoming.newer == (authentic && newer(came->key, of->active)));
    } else if (came->made) {
        FUZZ_REQUIRE(status == wanted);
    } else {
        FUZZ_REQUIRE(status != WM_OK && (status != WM_NOT_SECURED || of->node.accept_clear));
        FUZZ_REQUIRE(status != WM_NOT_AUTHENTICATED || !authentic);
    }
    if (status == WM_OK) {
        heard *sender = of->table + came->source;
        *sender = (heard){true, sender->kept, came->counter + 1, came->key};
    } else {
        FUZZ_REQUIRE(memcmp(&of->node, &before.node, sizeof of->node) == 0);
        FUZZ_REQUIRE(memcmp(of->senders, before.senders, sizeof of->senders) == 0);
    }
    if (status < WM_OK) {
        FUZZ_REQUIRE(len == came->len && fuzz_zigbee_kept(frame, came));
    }
    free(frame);
}

static void send(fuzz_input *in, bench *of)
{
    uint8_t frame[FUZZ_ZIGBEE_ROOM], len = take_clear(in, frame);
    const uint8_t clear_len = len, size = fuzz_u8(in);
    wm_zigbee_aux aux;
    wm_zigbee_nwk_header header;
    if (size < len) {
        return;
    }
    uint8_t *room = fuzz_copy(frame, size);
    const wm_status status = wm_zigbee_nwk_secure(&of->node, room, size, &len);
    const unsigned more = AUX + wm_zigbee_mic_len(level_of(of));
    FUZZ_REQUIRE((status < WM_OK) == (clear_len + more > size));
    if (status >= WM_OK) {
        FUZZ_REQUIRE(wm_zigbee_nwk_parse(room, len, &header) == WM_OK && header.secured);
        FUZZ_REQUIRE(wm_zigbee_aux_parse(room + header.len, (uint8_t)(len - header.len), &aux) ==
                     AUX);
        FUZZ_REQUIRE(aux.counter >= of->sent && aux.sequence == of->active && aux.level_bits == 0);
        of->sent = aux.counter + 1;
    } else {
        FUZZ_REQUIRE(memcmp(room, frame, size) == 0);
    }
    free(room);
}

/* A sender that was not heard under the active key, nor under a newer one, may begin anew. */
static void forget_older(bench *of)
{
    for (uint8_t i = 0; i < SOURCES; i++) {
        heard *sender = of->table + i;
        if (newer(of->active, sender->sequence)) {
            *sender = (heard){sender->known, sender->kept, 0, of->active};
        }
    }
}

/* The network goes on to another key, or the node loses its power. */
static void change(fuzz_input *in, bench *of)
{
    const uint8_t how = fuzz_u8(in), number = (uint8_t)(of->active + (how >> 3 & 3u));
    switch (how & 3u) {
    case 0:
        FUZZ_REQUIRE(wm_zigbee_nwk_add_key(&of->node, key_of(number), number) ==
                     (number == of->active ? WM_ERR_PARAM : WM_OK));
        of->following = number == of->active ? of->following : number;
        break;
    case 1:
        FUZZ_REQUIRE(
            wm_zigbee_nwk_switch(&of->node, number) ==
            (number == of->active || number == of->following ? WM_OK : WM_ERR_UNAVAILABLE_KEY));
        of->active = number == of->following ? number : of->active;
        forget_older(of);
        break;
    case 2:
        FUZZ_REQUIRE(wm_zigbee_nwk_start(&of->node, key_of(of->active), of->active) == WM_OK);
        of->following = of->active;
        for (uint8_t i = 0; i < SOURCES; i++) {
            heard *sender = of->table + i;
            const uint32_t limit = sender->kept ? of->of_sender.limit : 0;
            FUZZ_REQUIRE(!sender->kept || sender->sequence != of->active || limit >= sender->next);
            *sender = (heard){sender->known, sender->kept, limit, of->active};
        }
        break;
    default:
        send(in, of);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    bench with;
    fuzz_zigbee_frame came;
    make(&with, fuzz_u8(&in));
    for (uint8_t i = 0; i < STEPS && in.left != 0; i++) {
        if ((fuzz_u8(&in) & 3u) == 0) {
            change(&in, &with);
        } else {
            take_frame(&in, &with, &came);
            receive(&with, &came);
        }
    }
    return FUZZ_TAKEN;
}
