/* SPDX-License-Identifier: BSD-3-Clause */
/* A node that receives IPv6 packets under policies: made by another node with the stack, changed, or
 * any octets behind an IPv6 header.
 *
 * With bit 7 of the first octet packets are made and taken by pieces, whose ends and work follow from
 * the input.
 *
 * Judged: what another node made and nobody changed is answered as policy and window have it, and
 * gives the packet that was secured; what is accepted was made by the holder of the keys, unless no
 * policy wants keys; a refused packet is zero and moves no window; a packet is accepted once; work by
 * pieces leaves no state behind. */
#include <wardmote/counter_slot.h>
#include <wardmote/ipsec_ahead.h>
#include <wardmote/ipv6.h>
#include <wardmote/octets.h>
#include "../stack/store/counter_double.h"
#include "ipsec_target.h"

#define ROOM 200
#define PACKETS 12
#define AH 1u  /* group of the SAs of AH */
#define ESP 2u /* and of ESP */
#define WINDOW 64u
#define PIECES 3u
#define BY_PIECES 128u /* of the first octet */

/* Keys of both nodes. */
typedef struct keys {
    wm_aes128_tab_key xcbc_under, cmac_under;
    wm_aes128_tab_both_key cipher;
    wm_xcbc_mac_key xcbc;
    wm_cmac_key cmac;
} keys;

typedef struct node {
    wm_ipsec ipsec;
    wm_ipsec_sa sas[2];
    wm_ipsec_policy policy;
    counter_double medium;
    wm_counter_store store;
    wm_counter_slot counters[2];
    uint32_t limits[2];
} node;

/* A packet on its way. */
typedef struct packet {
    uint8_t octet[ROOM + 100];
    uint16_t len;
    uint8_t clear[ROOM]; /* before it was secured */
    uint16_t clear_len;
    uint32_t numbers[2];        /* sequence numbers of AH and ESP */
    bool made;                  /* by the other node, and not changed since */
    uint8_t pieces[2 * PIECES]; /* where they end, and blocks of work behind each */
} packet;

/* Sequence numbers that were accepted. */
typedef struct history {
    uint32_t numbers[2][2 * PACKETS];
    uint32_t highest[2];
    uint32_t reset_at[2]; /* numbers up to here came before the node lost its power */
    uint8_t count;
} history;

static const uint8_t ours[16] = {0xFD, 1}, theirs[16] = {0xFD, 2};

static uint8_t asked; /* for new keys */

static const wm_ipsec_code *const codes[] = {&wm_ipsec_code_xcbc_96, &wm_ipsec_code_cmac_96, NULL};
static const wm_ipsec_stream *const streams[] = {&wm_ipsec_stream_ctr, &wm_ipsec_stream_null, NULL};
static wm_ipsec_ahead coming = {.codes = codes, .streams = streams};
static wm_ipsec_ahead going = {.codes = codes, .streams = streams};
static bool by_pieces;

static void wants_keys(void *context, wm_ipsec_sa *sa)
{
    FUZZ_REQUIRE(context == &asked && sa->sequence == UINT32_MAX);
    asked++;
}

static void make_keys(keys *made)
{
    uint8_t octets[16] = {1};
    wm_aes128_tab_init_both(&made->cipher, octets);
    octets[0] = 2;
    wm_aes128_tab_init(&made->xcbc_under, octets);
    FUZZ_REQUIRE(wm_xcbc_mac_derive(&made->xcbc, &made->xcbc_under.cipher) == WM_OK);
    octets[0] = 3;
    wm_aes128_tab_init(&made->cmac_under, octets);
    FUZZ_REQUIRE(wm_cmac_derive(&made->cmac, &made->cmac_under.cipher) == WM_OK);
}

/* One of four algorithms. */
static void take_integrity(uint8_t which, const keys *with, wm_ipsec_sa *to)
{
    static const uint8_t hmac_key[32] = {4};
    const wm_ipsec_integrity *const algorithms[4] = {&wm_ipsec_aes_cmac_96, &wm_ipsec_aes_xcbc_96,
                                                     &wm_ipsec_hmac_sha256_128,
                                                     &wm_ipsec_hmac_sha1_96};
    to->integrity = algorithms[which];
    if (which == 0) {
        to->integrity_key.cmac = &with->cmac;
    } else if (which == 1) {
        to->integrity_key.xcbc = &with->xcbc;
    } else {
        to->integrity_key.octets = hmac_key;
    }
}

static void open_store(node *of)
{
    FUZZ_REQUIRE(wm_counter_store_open(&of->store, &counter_double_two, &of->medium, of->limits, 2,
                                       1) == WM_OK);
}

/* What `how` says of AH and ESP, for either node. */
static void make_node(node *made, const keys *with, unsigned protocols, uint8_t how,
                      uint32_t sequence, bool receives)
{
    const wm_ipsec_encryption *const encryptions[6] = {
        &wm_ipsec_null,      &wm_ipsec_aes_cbc,    &wm_ipsec_aes_ctr,
        &wm_ipsec_aes_ccm_8, &wm_ipsec_aes_ccm_16, &wm_ipsec_aes_ccm_8_iiv};
    const wm_ipsec_encryption *encryption = encryptions[(how & 7u) % 6u];
    const bool has_ah = (protocols & FUZZ_AH) != 0, has_esp = (protocols & FUZZ_ESP) != 0;
    memset(made, 0, sizeof *made);
    made->sas[0].protocol = has_ah ? &wm_ipsec_ah : NULL;
    made->sas[0].group = AH;
    take_integrity(how >> 3 & 3u, with, made->sas);
    made->sas[1].protocol = has_esp ? &wm_ipsec_esp : NULL;
    made->sas[1].encryption = encryption;
    made->sas[1].cipher = &with->cipher.cipher;
    made->sas[1].group = ESP;
    if (encryption->icv_octets == 0 && (how & 32u) == 0) {
        take_integrity((how >> 3 & 3u) ^ 1u, with, made->sas + 1);
    }
    for (uint8_t i = 0; i < 2; i++) {
        made->sas[i].spi = 1;
        made->sas[i].counter = &made->counters[i].counter;
    }
    made->policy = (wm_ipsec_policy){.prefix = 128,
                                     .protocol = WM_IPV6_UDP,
                                     .action = WM_IPSEC_PROTECT,
                                     .ah = has_ah ? AH : 0,
                                     .esp = has_esp ? ESP : 0};
    memcpy(made->policy.remote, receives ? theirs : ours, 16);
    made->medium = (counter_double){.segment_octets = 64, .unit = 2};
    memset(made->medium.octet, 0xFF, sizeof made->medium.octet);
    FUZZ_REQUIRE(wm_counter_store_create(&counter_double_two, &made->medium) == WM_OK);
    open_store(made);
    for (uint8_t i = 0; i < 2; i++) {
        wm_counter_slot_init(made->counters + i, &made->store, i);
    }
    for (uint8_t i = 0; sequence != 0 && i < 2; i++) {
        FUZZ_REQUIRE(wm_counter_store_advance(&made->store, i, sequence) == WM_OK);
    }
    made->ipsec = (wm_ipsec){.in = receives ? made->sas : NULL,
                             .ins = receives ? 2 : 0,
                             .out = receives ? NULL : made->sas,
                             .outs = receives ? 0 : 2,
                             .policies = &made->policy,
                             .count = 1,
                             .wants_keys = wants_keys,
                             .context = &asked,
                             .profile = WM_IPSEC_STUDY};
    FUZZ_REQUIRE(wm_ipsec_start(&made->ipsec) == WM_OK);
}

/* ESP has no ICV, whatever AH around it has. */
static bool no_window(const node *us)
{
    return us->sas[1].integrity == NULL && us->sas[1].encryption->icv_octets == 0;
}

/* Headers as `how` says, then UDP: `to->clear`. */
static void make_clear(fuzz_input *in, uint8_t how, packet *to)
{
    static const uint8_t option[8] = {WM_IPV6_UDP, 0, 0x3E, 4, 1, 2, 3, 4};
    uint8_t *at = to->clear + WM_IPV6_HEADER_LEN;
    memset(to->clear, 0, WM_IPV6_HEADER_LEN);
    to->clear[0] = 0x60;
    to->clear[6] = WM_IPV6_UDP;
    if ((how & 1u) != 0) {
        memcpy(at, option, sizeof option);
        to->clear[6] = (how & 2u) != 0 ? 0 : 60;
        at += sizeof option;
    }
    const uint8_t octets = (uint8_t)(4 + fuzz_u8(in) % 100);
    fuzz_octets(in, at, octets);
    at += octets;
    to->clear_len = (uint16_t)(at - to->clear);
    wm_store_be16(to->clear + 4, (uint16_t)(to->clear_len - WM_IPV6_HEADER_LEN));
    memcpy(to->clear + 8, theirs, 16);
    memcpy(to->clear + 24, ours, 16);
}

static void work(wm_ipsec_ahead *on, uint8_t blocks)
{
    for (; blocks != 0 && wm_ipsec_ahead_work(on); blocks--) {
    }
}

/* No state of a packet is left. */
static void check_over(const wm_ipsec_ahead *of)
{
    FUZZ_REQUIRE(of->sa == NULL && fuzz_all((const uint8_t *)&of->ctr, sizeof of->ctr, 0) &&
                 fuzz_all((const uint8_t *)&of->mac, sizeof of->mac, 0));
}

static wm_status secure(node *us, packet *to)
{
    const size_t size = sizeof to->octet;
    if (!by_pieces) {
        return wm_ipsec_secure(&us->ipsec, to->octet, size, &to->len);
    }
    wm_status status = wm_ipsec_secure_ahead(&going, &us->ipsec, to->octet, size, &to->len);
    uint16_t end = 0;
    for (uint8_t i = 0; i < PIECES && status == WM_OK; i++) {
        end = (uint16_t)(end + to->pieces[2 * i]);
        work(&going, to->pieces[2 * i + 1]);
        status = wm_ipsec_ahead_make(&going, to->octet, end < to->len ? end : to->len);
    }
    if (status == WM_OK) {
        status = wm_ipsec_ahead_make(&going, to->octet, to->len);
    }
    check_over(&going);
    return status;
}

/* `octets` are the packet's, of which nobody has seen anything. */
static wm_status unsecure(node *us, const packet *came, uint8_t *octets, uint16_t *len)
{
    if (!by_pieces) {
        return wm_ipsec_unsecure(&us->ipsec, octets, len);
    }
    uint16_t there = 0;
    bool begun = false;
    memset(octets, 0xA5, *len);
    for (uint8_t i = 0; i <= PIECES; i++) {
        const uint16_t left = (uint16_t)(*len - there);
        const uint16_t more =
            i == PIECES || came->pieces[2 * i] > left ? left : came->pieces[2 * i];
        memcpy(octets + there, came->octet + there, more);
        there = (uint16_t)(there + more);
        if (begun) {
            wm_ipsec_ahead_come(&coming, there);
        } else {
            begun = wm_ipsec_ahead_open(&coming, &us->ipsec, octets, *len, there);
        }
        work(&coming, i == PIECES ? 0 : came->pieces[2 * i + 1]);
    }
    wm_status status = wm_ipsec_unsecure_ahead(&coming, &us->ipsec, octets, len);
    check_over(&coming);
    return status;
}

/* Takes a packet out of the fuzzer's octets. */
static void take_packet(fuzz_input *in, node *other, packet *to)
{
    const uint8_t how = fuzz_u8(in);
    memset(to, 0, sizeof *to);
    make_clear(in, how, to);
    if (by_pieces) {
        fuzz_octets(in, to->pieces, sizeof to->pieces);
    }
    memcpy(to->octet, to->clear, to->clear_len);
    to->len = to->clear_len;
    if ((how & 0xC0u) == 0xC0u) { /* any headers */
        fuzz_octets(in, to->octet + WM_IPV6_HEADER_LEN, (size_t)(to->len - WM_IPV6_HEADER_LEN));
        to->octet[6] = fuzz_u8(in);
        to->len = (uint16_t)(to->len - (fuzz_u8(in) & 3u));
        return;
    }
    if ((how & 4u) != 0) { /* a number is left out */
        const uint32_t by = fuzz_u8(in);
        for (uint8_t i = 0; i < 2; i++) {
            const uint32_t left = UINT32_MAX - other->sas[i].sequence;
            other->sas[i].sequence += by < left ? by : left;
        }
    }
    const uint8_t before = asked;
    const uint8_t *exact = fuzz_copy(to->octet, sizeof to->octet);
    wm_status status = secure(other, to);
    if (status != WM_OK) {
        FUZZ_REQUIRE(status == WM_ERR_COUNTER && asked == (uint8_t)(before + 1));
        FUZZ_REQUIRE(memcmp(exact, to->octet, sizeof to->octet) == 0);
    }
    free((void *)(uintptr_t)exact);
    to->made = status == WM_OK;
    to->numbers[0] = other->sas[0].sequence;
    to->numbers[1] = other->sas[1].sequence;
    if ((how & 8u) != 0) {
        const uint8_t at = fuzz_u8(in), change = fuzz_u8(in);
        to->octet[at % to->len] ^= change;
        to->made = to->made && change == 0;
    }
}

/* Whether what came out is what went in. AH leaves out what may change on the way: class, flow, hop
 * limit and data of options. ESP leaves out all in front of it; of that the policy looks at the
 * source. */
static bool is_what_was_sent(const packet *came, bool ah, const uint8_t *octets, uint16_t len)
{
    const bool options = came->clear[6] != WM_IPV6_UDP;
    const uint16_t upper = (uint16_t)(WM_IPV6_HEADER_LEN + (options ? 8 : 0));
    return len == came->clear_len && memcmp(octets + 4, came->clear + 4, 2) == 0 &&
           memcmp(octets + 8, came->clear + 8, 16) == 0 &&
           (!ah ||
            (octets[6] == came->clear[6] && memcmp(octets + 24, came->clear + 24, 16) == 0)) &&
           memcmp(octets + upper, came->clear + upper, (size_t)(len - upper)) == 0;
}

/* What the window must say of a packet that nobody changed: `numbers` of AH and ESP came before. */
static bool is_new(const history *past, uint8_t which, uint32_t number)
{
    if (number <= past->reset_at[which]) {
        return false;
    }
    if (past->highest[which] >= WINDOW && number <= past->highest[which] - WINDOW) {
        return false;
    }
    for (uint8_t i = 0; i < past->count; i++) {
        if (past->numbers[which][i] == number) {
            return false;
        }
    }
    return true;
}

static void judge(const node *us, const node *before, const packet *came, wm_status status,
                  history *past)
{
    const bool ah = us->policy.ah != 0, esp = us->policy.esp != 0;
    const bool study = esp && !ah && before->sas[1].integrity == NULL &&
                       before->sas[1].encryption->icv_octets == 0;
    if (status >= WM_OK) {
        FUZZ_REQUIRE(status == (study ? WM_NOT_AUTHENTICATED : WM_OK));
    }
    for (uint8_t i = 0; i < 2; i++) {
        FUZZ_REQUIRE(us->sas[i].sequence >= before->sas[i].sequence);
    }
    if (status == WM_ERR_UNAVAILABLE_KEY || (status == WM_ERR_SECURITY && !(ah && esp))) {
        FUZZ_REQUIRE(memcmp(us->sas, before->sas, sizeof us->sas) == 0);
    }
    if (!came->made || study) {
        return;
    }
    const bool fresh = (!ah || is_new(past, 0, came->numbers[0])) &&
                       (!esp || is_new(past, 1, came->numbers[1]) || no_window(before));
    FUZZ_REQUIRE(status == (fresh ? WM_OK : WM_ERR_COUNTER));
    for (uint8_t i = 0; i < 2 && fresh; i++) {
        past->numbers[i][past->count] = came->numbers[i];
        past->highest[i] =
            came->numbers[i] > past->highest[i] ? came->numbers[i] : past->highest[i];
    }
    past->count = (uint8_t)(past->count + fresh);
}

static void receive(node *us, const packet *came, history *past)
{
    uint8_t *exact = fuzz_copy(came->octet, came->len);
    const node before = *us;
    uint16_t len = came->len;
    wm_status status = unsecure(us, came, exact, &len);
    judge(us, &before, came, status, past);
    if (status < WM_OK) {
        FUZZ_REQUIRE(len == 0 && fuzz_all(exact, came->len, 0));
    } else if (status == WM_OK || came->made) {
        FUZZ_REQUIRE(is_what_was_sent(came, us->policy.ah != 0, exact, len));
    }
    free(exact);
}

int fuzz_ipsec(const uint8_t *data, size_t size, unsigned protocols)
{
    fuzz_input in = {data, size};
    const uint8_t how = fuzz_u8(&in);
    const uint32_t from = (how & 64u) != 0 ? UINT32_MAX - fuzz_u8(&in) : 0;
    static bool has_keys;
    static keys with;
    static packet came[PACKETS];
    history past = {.count = 0};
    node us, other;
    if (!has_keys) {
        make_keys(&with);
        has_keys = true;
    }
    by_pieces = (how & BY_PIECES) != 0;
    make_node(&us, &with, protocols, how, 0, true);
    make_node(&other, &with, protocols, how, from, false);
    uint8_t count = 0;
    while (count < PACKETS && in.left != 0) {
        take_packet(&in, &other, came + count);
        if (fuzz_u8(&in) >= 0xF0u) { /* power is away for a moment */
            open_store(&us);
            FUZZ_REQUIRE(wm_ipsec_start(&us.ipsec) == WM_OK);
            memcpy(past.reset_at, past.highest, sizeof past.reset_at);
        }
        receive(&us, came + count, &past);
        count++;
    }
    for (uint8_t i = 0; i < count; i++) { /* a second time, in the other order */
        receive(&us, came + (count - 1 - i), &past);
    }
    return FUZZ_TAKEN;
}
