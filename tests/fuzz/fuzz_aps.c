/* SPDX-License-Identifier: BSD-3-Clause */
/* A node that receives APS frames of ZigBee from nodes with which it shares keys, or waits for one:
 * made by other nodes, changed, or any octets. What it accepts is read as a command, and built again.
 *
 * Judged: what a node made and nobody changed is answered as links and counters have it, and gives
 * what was secured; nothing else is accepted under a MIC; a refusal leaves node, links and frame, or
 * zeros; a command that is read gives, built again, the octets that came; counters of the node's own
 * frames never come again, also over a reset. */
#include <wardmote/zigbee_aps.h>
#include <wardmote/zigbee_command.h>
#include "zigbee_target.h"

#define SOURCES 4u /* 0 and 1 have links, 2 has none, 3 is the node itself */
#define OWN 3u
#define LINKS 3u
#define ANYBODY 2u /* the link that may wait */
#define LEVEL_ENC 4u
#define STEPS 24u

typedef struct bench {
    wm_zigbee_aps node;
    wm_zigbee_link links[LINKS];
    fuzz_counter own, of_first;
    uint32_t next[SOURCES]; /* least counter of each source */
    uint8_t waits;          /* the source that the third link has; SOURCES: it waits */
    bool third;             /* there is a third link */
    uint32_t sent;
} bench;

static void address_of(uint8_t source, uint8_t address[8])
{
    memset(address, 0x40, 8);
    address[7] = source;
}

/* The kinds of keys of all links: two keys, so that a kind can be mistaken. */
static void give_keys(wm_zigbee_link *link, uint8_t which)
{
    link->data = fuzz_key(which & 1u);
    link->transport = fuzz_key((which & 1u) ^ 1u);
    link->load = fuzz_key((which >> 1 & 1u) ^ 1u);
}

static void make(bench *made, uint8_t how)
{
    memset(made, 0, sizeof *made);
    fuzz_counter_make(&made->own);
    fuzz_counter_make(&made->of_first);
    made->node.counter = &made->own.counter;
    made->node.links = made->links;
    made->node.level = how & 7u;
    made->node.accept_clear = (how & 8u) != 0;
    made->node.ignore_level_bits = (how & 16u) != 0;
    made->third = (how & 32u) != 0;
    made->node.count = made->third ? LINKS : LINKS - 1u;
    made->waits = SOURCES;
    address_of(OWN, made->node.address);
    for (uint8_t i = 0; i < LINKS; i++) {
        give_keys(made->links + i, how >> 6);
        address_of(i, made->links[i].address);
    }
    memset(made->links[ANYBODY].address, 0xFF, 8);
    made->links[0].counter = &made->of_first.counter;
    FUZZ_REQUIRE(wm_zigbee_aps_start(&made->node) == WM_OK);
}

static uint8_t level_of(const bench *of)
{
    return of->node.level == 0 ? WM_ZIGBEE_LEVEL_USUAL : of->node.level;
}

/* An APS frame in clear for one node: data, a command, or an ack. */
static uint8_t take_clear(fuzz_input *in, uint8_t *clear)
{
    static const uint8_t ids[8] = {0x05, 0x06, 0x07, 0x08, 0x09, 0x0E, 0x0F, 0x10};
    const uint8_t shape = fuzz_u8(in), type = (shape & 3u) % 3u;
    uint8_t at = 0, payload = fuzz_u8(in) % 60u;
    const bool short_ack = (shape & 4u) != 0, extended = (shape & 8u) != 0;
    clear[at++] =
        (uint8_t)(type | (short_ack ? 0x10u : 0u) | (shape & 0x40u) | (extended ? 0x80u : 0u));
    if (type == WM_ZIGBEE_APS_DATA || (type == WM_ZIGBEE_APS_ACK && !short_ack)) {
        fuzz_octets(in, clear + at, 6);
        at = (uint8_t)(at + 6u);
    }
    clear[at++] = fuzz_u8(in);
    if (extended) {
        const uint8_t kind = (shape >> 4 & 3u) % 3u;
        clear[at++] = kind;
        if (kind != 0) {
            clear[at++] = fuzz_u8(in);
            at = (uint8_t)(at + (type == WM_ZIGBEE_APS_ACK ? 1 : 0));
        }
    }
    fuzz_octets(in, clear + at, payload);
    if (type == WM_ZIGBEE_APS_COMMAND) {
        payload = payload < 2 ? 2 : payload;
        clear[at] = ids[clear[at] & 7u];
        clear[at + 1] = (uint8_t)(clear[at + 1] % 6u);
    }
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
    to->counter = fuzz_zigbee_counter(in);
    to->clear_len = take_clear(in, to->clear);
    to->len = to->clear_len;
    memcpy(to->octet, to->clear, to->len);
    wm_zigbee_aps maker = of->node;
    wm_zigbee_link link = {.next = 0};
    fuzz_counter counter;
    wm_zigbee_aps_header header;
    fuzz_counter_make(&counter);
    address_of(to->source, maker.address);
    address_of(OWN, link.address);
    link.data = of->links[0].data;
    link.transport = of->links[0].transport;
    link.load = of->links[0].load;
    maker.counter = &counter.counter;
    maker.links = &link;
    maker.count = 1;
    FUZZ_REQUIRE(wm_zigbee_aps_start(&maker) == WM_OK);
    maker.next = to->counter;
    FUZZ_REQUIRE(wm_zigbee_aps_parse(to->clear, to->len, &header) == WM_OK);
    const bool say = (how & 32u) != 0;
    const wm_status status =
        wm_zigbee_aps_secure(&maker, link.address, say, to->octet, sizeof to->octet, &to->len);
    FUZZ_REQUIRE(status == WM_OK || (status == WM_NOT_AUTHENTICATED && level_of(of) == LEVEL_ENC));
    FUZZ_REQUIRE(to->len == to->clear_len + (say ? 13 : 5) + wm_zigbee_mic_len(level_of(of)));
    to->made = true;
    if ((how & 7u) >= 5u) {
        fuzz_zigbee_change(in, to, header.len, of->node.ignore_level_bits);
    }
}

/* What must be answered to a frame that a node made and nobody changed. */
static wm_status worth(const bench *of, const fuzz_zigbee_frame *came)
{
    const bool waiting = of->third && of->waits == SOURCES;
    const bool has_link = came->source < 2u || (of->third && of->waits == came->source);
    if (!has_link && !waiting) {
        return WM_ERR_UNAVAILABLE_DEVICE;
    }
    if (came->source == OWN) {
        return WM_ERR_COUNTER;
    }
    return has_link && came->counter < of->next[came->source] ? WM_ERR_COUNTER : WM_OK;
}

/* A command that is read is, built again, what came; one that is not gives nothing. */
static void read_command(const uint8_t *frame, uint8_t len, const wm_zigbee_aps_header *header)
{
    wm_zigbee_command command;
    uint8_t built[FUZZ_ZIGBEE_ROOM], built_len = 0;
    const uint8_t left = (uint8_t)(len - header->len);
    const uint8_t *payload = fuzz_copy(frame + header->len, left);
    const wm_status status = wm_zigbee_command_parse(payload, left, &command);
    if (status != WM_OK) {
        FUZZ_REQUIRE(fuzz_all((const uint8_t *)&command, sizeof command, 0));
    } else {
        FUZZ_REQUIRE(command.used <= left);
        uint8_t *exact = fuzz_copy(built, command.used);
        FUZZ_REQUIRE(wm_zigbee_command_build(&command, exact, command.used, &built_len) == WM_OK);
        FUZZ_REQUIRE(built_len == command.used);
        for (uint8_t i = 0; i < built_len; i++) {
            /* initiator is a bit */
            const bool bit = command.id == WM_ZIGBEE_TRANSPORT_KEY && i + 1u == built_len &&
                             command.key_type == WM_ZIGBEE_TYPE_APPLICATION;
            FUZZ_REQUIRE(exact[i] == (bit ? payload[i] != 0 : payload[i]));
        }
        FUZZ_REQUIRE(wm_zigbee_command_build(&command, exact, (uint8_t)(command.used - 1u),
                                             &built_len) == WM_ERR_FRAME_TOO_LONG);
        free(exact);
    }
    free((void *)(uintptr_t)payload);
}

static void receive(bench *of, const fuzz_zigbee_frame *came, bool say_from)
{
    const bench before = *of;
    uint8_t from[8], len = came->len, *frame = fuzz_copy(came->octet, came->len);
    wm_zigbee_aps_incoming incoming;
    address_of(came->source, from);
    const wm_status status =
        wm_zigbee_aps_unsecure(&of->node, say_from ? from : NULL, frame, &len, &incoming);
    const bool authentic = level_of(of) != LEVEL_ENC;
    if (came->made && (say_from || incoming.aux.source_present)) {
        const wm_status wanted = worth(of, came);
        FUZZ_REQUIRE(status == (wanted == WM_OK && !authentic ? WM_NOT_AUTHENTICATED : wanted));
    } else if (came->made) {
        FUZZ_REQUIRE(status == WM_ERR_UNAVAILABLE_DEVICE);
    } else {
        FUZZ_REQUIRE(status != WM_OK && (status != WM_NOT_SECURED || of->node.accept_clear));
        FUZZ_REQUIRE(status != WM_NOT_AUTHENTICATED || !authentic);
    }
    if (status >= WM_OK && came->made) {
        FUZZ_REQUIRE(len == came->clear_len && memcmp(frame, came->clear, len) == 0);
        FUZZ_REQUIRE(incoming.aux.counter == came->counter &&
                     incoming.aux.source[7] == came->source);
    }
    if (status == WM_OK) {
        const bool third = came->source >= 2u;
        of->waits = third ? came->source : of->waits;
        of->next[came->source] = came->counter + 1;
        FUZZ_REQUIRE(incoming.link == (third ? ANYBODY : came->source));
        FUZZ_REQUIRE(of->links[incoming.link].next == came->counter + 1);
    } else {
        FUZZ_REQUIRE(memcmp(&of->node, &before.node, sizeof of->node) == 0);
        FUZZ_REQUIRE(memcmp(of->links, before.links, sizeof of->links) == 0);
    }
    if (status < WM_OK) {
        FUZZ_REQUIRE(len == came->len && fuzz_zigbee_kept(frame, came));
    } else if (incoming.header.type == WM_ZIGBEE_APS_COMMAND) {
        read_command(frame, len, &incoming.header);
    }
    free(frame);
}

static void send(fuzz_input *in, bench *of)
{
    uint8_t frame[FUZZ_ZIGBEE_ROOM], to[8], len = take_clear(in, frame);
    const uint8_t how = fuzz_u8(in), clear_len = len, size = fuzz_u8(in);
    const bool say = (how & 4u) != 0;
    wm_zigbee_aux aux;
    wm_zigbee_aps_header header;
    if (size < len) {
        return;
    }
    address_of(how & 1u, to);
    uint8_t *room = fuzz_copy(frame, size);
    const wm_status status = wm_zigbee_aps_secure(&of->node, to, say, room, size, &len);
    const unsigned aux_len = say ? 13 : 5;
    FUZZ_REQUIRE((status < WM_OK) ==
                 (clear_len + aux_len + wm_zigbee_mic_len(level_of(of)) > size));
    if (status >= WM_OK) {
        FUZZ_REQUIRE(wm_zigbee_aps_parse(room, len, &header) == WM_OK && header.secured);
        FUZZ_REQUIRE(wm_zigbee_aux_parse(room + header.len, (uint8_t)(len - header.len), &aux) ==
                     aux_len);
        FUZZ_REQUIRE(aux.counter >= of->sent && aux.level_bits == 0);
        of->sent = aux.counter + 1;
    } else {
        FUZZ_REQUIRE(memcmp(room, frame, size) == 0);
    }
    free(room);
}

/* The node loses its power, has another key, or sends. */
static void change(fuzz_input *in, bench *of)
{
    switch (fuzz_u8(in) & 3u) {
    case 0:
        FUZZ_REQUIRE(of->of_first.limit >= of->next[0]);
        FUZZ_REQUIRE(wm_zigbee_aps_start(&of->node) == WM_OK);
        memset(of->next, 0, sizeof of->next);
        of->next[0] = of->of_first.limit;
        break;
    case 1:
        FUZZ_REQUIRE(wm_zigbee_link_renew(of->links) == WM_OK);
        of->next[0] = 0;
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
        const uint8_t how = fuzz_u8(&in);
        if ((how & 3u) == 0) {
            change(&in, &with);
        } else {
            take_frame(&in, &with, &came);
            receive(&with, &came, (how & 12u) != 0);
        }
    }
    return FUZZ_TAKEN;
}
