/* SPDX-License-Identifier: BSD-3-Clause */
/* A security PIB from the fuzzer's octets. */
#include "tables.h"

static const uint16_t pans[2] = {0xABCD, 0x1234};
static const uint16_t shorts[4] = {0x0001, 0x0002, 0xFFFE, 0xFFFF};
static const uint8_t exts[3][8] = {
    {1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3, 3, 3}};
/* In the order of the kept corpus, whatever the values are. */
static const wm_edition editions[4] = {WM_EDITION_2006, WM_EDITION_2011, WM_EDITION_2012E,
                                       WM_EDITION_2015};
static const uint8_t sources[2][8] = {{0}, {9, 8, 7, 6, 5, 4, 3, 2}};

const uint8_t *fuzz_ext(uint8_t which)
{
    return exts[(which & 3u) % 3u];
}

const uint8_t *fuzz_key_source(uint8_t which)
{
    return sources[which & 1u];
}

/* A medium in RAM that fails as a whole when it is told to. */

static wm_status medium_read(void *which, uint8_t segment, uint16_t offset, uint8_t *to,
                             uint16_t len)
{
    const fuzz_tables *tables = which;

    memcpy(to, tables->medium[segment] + offset, len);
    return WM_OK;
}

static wm_status medium_program(void *which, uint8_t segment, uint16_t offset, const uint8_t *from,
                                uint16_t len)
{
    fuzz_tables *tables = which;
    uint16_t i;

    for (i = 0; i < len && !tables->medium_fails; i++) {
        tables->medium[segment][offset + i] &= from[i];
    }
    return tables->medium_fails ? WM_ERR_STORAGE : WM_OK;
}

static wm_status medium_erase(void *which, uint8_t segment)
{
    fuzz_tables *tables = which;

    memset(tables->medium[segment], 0xFF, FUZZ_SEGMENT);
    return WM_OK;
}

static void open_store(fuzz_tables *tables, const wm_counter_port *port, unsigned block_bits)
{
    FUZZ_REQUIRE(wm_counter_store_open(&tables->store, port, tables, tables->limit, FUZZ_SLOTS,
                                       1u << block_bits) == WM_OK);
}

static const wm_frame_counter *counter_at(const fuzz_tables *tables, unsigned n)
{
    if (n == 0) {
        return &tables->pib.counter;
    }
    if (n < 1 + FUZZ_KEYS) {
        return &tables->key_counter[n - 1];
    }
    if (n < 1 + FUZZ_KEYS + FUZZ_DEVICES) {
        return &tables->device_counter[n - 1 - FUZZ_KEYS];
    }
    n -= 1 + FUZZ_KEYS + FUZZ_DEVICES;
    return &tables->key_device[n / FUZZ_DEVICES][n % FUZZ_DEVICES].counter;
}

/* Without a store every counter lives in RAM. */
static void forget_slots(fuzz_tables *tables)
{
    unsigned n;

    for (n = 0; n < FUZZ_COUNTERS; n++) {
        ((wm_frame_counter *)counter_at(tables, n))->slot = WM_SLOT_VOLATILE;
    }
}

static void take_store(fuzz_input *in, fuzz_tables *tables)
{
    static const wm_counter_port port = {FUZZ_SEGMENT, 2,   2, medium_read, medium_program,
                                         medium_erase, NULL};
    const uint8_t choice = fuzz_u8(in);
    uint8_t i;

    tables->pib.asn_slot = WM_SLOT_VOLATILE;
    if ((choice & 3u) != 0) {
        tables->pib.store = NULL;
        forget_slots(tables);
        return;
    }
    FUZZ_REQUIRE(wm_counter_store_destroy(&port, tables) == WM_OK);
    FUZZ_REQUIRE(wm_counter_store_create(&port, tables) == WM_OK);
    open_store(tables, &port, choice >> 4 & 7u);
    for (i = 0; i < 2; i++) { /* an earlier life */
        const uint8_t any = fuzz_u8(in) % FUZZ_SLOTS;
        const uint8_t slot = tables->pib.nonce_form == WM_NONCE_ASN ? FUZZ_SLOTS - 1 : any;
        const uint32_t next = 1u + fuzz_u8(in);
        FUZZ_REQUIRE(wm_counter_store_advance(&tables->store, slot, next) == WM_OK);
        tables->used[slot] = next > tables->used[slot] ? next : tables->used[slot];
    }
    open_store(tables, &port, fuzz_u8(in) & 15u);
    tables->medium_fails = (choice & 8u) != 0;
    tables->pib.asn_slot = (choice & 0x80u) != 0 ? WM_SLOT(FUZZ_SLOTS - 1) : WM_SLOT_VOLATILE;
    tables->pib.store = &tables->store;
}

static wm_frame_counter take_counter(fuzz_input *in, uint8_t slot)
{
    const uint8_t value = fuzz_u8(in);

    return (wm_frame_counter){.next = value > 0xF0 ? 0xFFFFFF00u | value : value & 0x1Fu,
                              .slot = (value & 0x20u) != 0 ? WM_SLOT_VOLATILE : WM_SLOT(slot)};
}

static void take_lookup(fuzz_input *in, wm_key_id_lookup *lookup)
{
    const uint8_t choice = fuzz_u8(in);
    const uint16_t short_addr = shorts[choice >> 4 & 3u];

    lookup->key_id_mode = choice & 3u;
    lookup->key_index = (uint8_t)(1u + (choice >> 2 & 1u));
    lookup->addr_mode = (choice & 8u) != 0 ? WM_ADDR_SHORT : WM_ADDR_EXT;
    lookup->pan = pans[choice >> 6 & 1u];
    if (lookup->key_id_mode != 0) {
        memcpy(lookup->key_source, fuzz_key_source(choice >> 4), 8);
    } else if (lookup->addr_mode == WM_ADDR_SHORT) {
        lookup->key_source[0] = (uint8_t)(short_addr >> 8);
        lookup->key_source[1] = (uint8_t)short_addr;
    } else {
        memcpy(lookup->key_source, fuzz_ext(choice >> 4), 8);
    }
}

static void take_key(fuzz_input *in, fuzz_tables *tables, uint8_t k)
{
    const uint8_t choice = fuzz_u8(in);
    const uint8_t usage = fuzz_u8(in);
    const uint8_t device = fuzz_u8(in);
    wm_key_descriptor *key = &tables->key[k];
    uint8_t i;

    take_lookup(in, &tables->lookup[k][0]);
    take_lookup(in, &tables->lookup[k][1]);
    for (i = 0; i < 4; i++) { /* all four types in some order, or some of them */
        tables->usage[k][i].frame_type = (uint8_t)(usage + i) & 3u;
        tables->usage[k][i].command_id = (usage & 4u) != 0 ? usage >> 4 : WM_ANY_COMMAND;
    }
    for (i = 0; i < FUZZ_DEVICES; i++) {
        wm_key_device *entry = &tables->key_device[k][i];
        entry->counter =
            take_counter(in, (uint8_t)(1u + FUZZ_KEYS + FUZZ_DEVICES + k * FUZZ_DEVICES + i));
        entry->device = (uint8_t)(device + i) % FUZZ_DEVICES;
        entry->unique = (device & 0x10u << i) != 0;
        entry->blacklisted = (device & 0x80u) != 0 && i == 0;
    }
    tables->key_counter[k] = take_counter(in, (uint8_t)(1u + k));
    *key = (wm_key_descriptor){.id_lookup = tables->lookup[k],
                               .usage = tables->usage[k],
                               .devices = tables->key_device[k],
                               .counter = (choice & 1u) != 0 ? &tables->key_counter[k] : NULL,
                               .cipher = fuzz_key(k | tables->small),
                               .id_lookup_count = 2,
                               .usage_count = (choice & 6u) == 6u ? 1 : 4,
                               .device_count = (choice & 0x18u) == 0x18u ? 0 : FUZZ_DEVICES,
                               .any_device = (choice & 0x20u) != 0};
}

/* The extended addresses are those of the world in some order; rarely one of them twice, which
 * wm_pib_check refuses. */
static void take_devices(fuzz_input *in, fuzz_tables *tables)
{
    const uint8_t first = fuzz_u8(in);
    uint8_t i;

    for (i = 0; i < FUZZ_DEVICES; i++) {
        const uint8_t choice = fuzz_u8(in);
        wm_device_descriptor *device = &tables->device[i];
        device->pan = pans[choice & 1u];
        device->short_addr = shorts[choice >> 1 & 3u];
        memcpy(device->ext_addr, exts[((first >> 6) == 3u ? choice : first + i) % 3u], 8);
        device->exempt = (choice & 0x20u) != 0;
        tables->device_counter[i] = take_counter(in, (uint8_t)(1u + FUZZ_KEYS + i));
    }
    if ((first & 0x20u) != 0) { /* neighbours with one short address */
        tables->device[1].short_addr = tables->device[0].short_addr;
        tables->device[1].pan = tables->device[0].pan == pans[0] ? pans[1] : pans[0];
    }
}

static void take_policies(fuzz_input *in, fuzz_tables *tables)
{
    static const uint8_t ies[8] = {0x1E, 0x7E, 0x7F, 0x1A, 0x1C, 0x09, 0x01, 0x0F};
    uint8_t i;

    for (i = 0; i < 4; i++) {
        const uint8_t choice = fuzz_u8(in);
        wm_level_descriptor *level = &tables->level[i];
        level->frame_type = (choice & 8u) != 0 ? choice & 3u : i;
        level->command_id = (choice & 4u) != 0 ? choice >> 5 : WM_ANY_COMMAND;
        level->allowed_levels = (choice & 0x10u) != 0 ? WM_ALL_LEVELS : fuzz_u8(in);
        level->minimum = choice >> 5;
        level->minimum_admits_unauthenticated = (choice & 2u) == 0;
        level->device_override = (choice & 0x80u) != 0;
    }
    for (i = 0; i < 2; i++) {
        const uint8_t choice = fuzz_u8(in);
        tables->ie_usage[i].kind = choice & 3u;
        tables->ie_usage[i].id = ies[choice >> 2 & 7u];
        tables->ie_usage[i].allowed_levels = fuzz_u8(in);
    }
}

bool fuzz_take_tables(fuzz_input *in, fuzz_tables *tables)
{
    const uint8_t choice = fuzz_u8(in);
    const uint8_t counts = fuzz_u8(in);
    wm_security_pib *pib = &tables->pib;
    uint8_t k;

    memset(tables, 0, sizeof *tables);
    pib->edition = (uint8_t)editions[choice & 3u];
    pib->nonce_form = (choice & 4u) != 0 ? WM_NONCE_ASN : WM_NONCE_COUNTER;
    pib->security_disabled = (choice & 0x38u) == 0x38u;
    tables->small = (counts & 0xC0u) == 0xC0u ? 2 : 0;
    pib->pan = pans[choice >> 6 & 1u];
    pib->pan_coord_short = shorts[counts & 3u];
    memcpy(pib->pan_coord_ext, fuzz_ext(counts), 8);
    memcpy(pib->ext_addr, fuzz_ext(counts >> 2), 8);
    memset(pib->join_asn_max, 0xFF, 5);
    memcpy(pib->default_key_source, fuzz_key_source(choice >> 7), 8);
    pib->counter = take_counter(in, 0);
    fuzz_octets(in, pib->asn + 3, 2);
    if (pib->asn[3] == 0xFF) {
        memset(pib->asn, 0xFF, 3);
    }
    for (k = 0; k < FUZZ_KEYS; k++) {
        take_key(in, tables, k);
    }
    take_devices(in, tables);
    take_policies(in, tables);
    pib->keys = tables->key;
    pib->devices = tables->device;
    pib->device_counters = tables->device_counter;
    pib->levels = tables->level;
    pib->ie_usage = tables->ie_usage;
    pib->key_count = FUZZ_KEYS;
    pib->device_count = FUZZ_DEVICES;
    pib->level_count = (counts & 0x10u) != 0 ? 2 : 4;
    pib->ie_usage_count = (counts & 0x20u) != 0 ? 2 : 0;
    take_store(in, tables);
    if (wm_pib_check(pib) != WM_OK) {
        return false;
    }
    if ((counts & 0x0Cu) != 0x0Cu) { /* else somebody forgot to */
        wm_pib_restore(pib);
    }
    return true;
}

static void bend_addr(wm_addr *addr)
{
    const uint8_t which = addr->octet[0];
    const uint16_t short_addr = shorts[which & 3u];

    if (addr->mode == WM_ADDR_SHORT) {
        addr->octet[0] = (uint8_t)(short_addr >> 8);
        addr->octet[1] = (uint8_t)short_addr;
    } else if (addr->mode == WM_ADDR_EXT) {
        memcpy(addr->octet, fuzz_ext(which), 8);
    }
}

void fuzz_bend_mhr(const fuzz_tables *tables, wm_mhr *mhr, bool stubborn)
{
    wm_ash *ash = &mhr->ash;

    mhr->dst_pan = pans[mhr->dst_pan & 1u];
    mhr->src_pan = pans[mhr->src_pan & 1u];
    bend_addr(&mhr->dst);
    bend_addr(&mhr->src);
    memcpy(ash->key_source, fuzz_key_source(ash->key_source[0]), 8);
    ash->key_index = (uint8_t)(1u + (ash->key_index & 1u));
    if (!stubborn) {
        ash->counter_suppressed = ash->asn_in_nonce = tables->pib.nonce_form == WM_NONCE_ASN;
        ash->frame_counter = (ash->frame_counter & 0xF0u) == 0xF0u
                                 ? 0xFFFFFF00u | (ash->frame_counter & 0xFFu)
                                 : ash->frame_counter & 0xFFu;
    }
}

unsigned fuzz_counters_moved(const fuzz_tables *was, const fuzz_tables *now,
                             const wm_frame_counter **moved, uint32_t *from)
{
    unsigned count = 0;
    unsigned n;

    for (n = 0; n < FUZZ_COUNTERS; n++) {
        if (counter_at(was, n)->next != counter_at(now, n)->next) {
            *moved = counter_at(now, n);
            *from = counter_at(was, n)->next;
            count++;
        }
    }
    return count;
}

bool fuzz_counter_kept(const fuzz_tables *tables, const wm_frame_counter *moved, uint32_t from)
{
    return moved->slot == WM_SLOT_VOLATILE ||
           (from >= tables->used[moved->slot - 1u] &&
            wm_counter_store_limit(tables->pib.store, (uint8_t)(moved->slot - 1u)) >= moved->next);
}

bool fuzz_asn_kept(const fuzz_tables *tables)
{
    const uint8_t *asn = tables->pib.asn;
    const uint32_t step =
        (uint32_t)asn[0] << 24 | (uint32_t)asn[1] << 16 | (uint32_t)asn[2] << 8 | asn[3];

    return tables->pib.asn_slot == WM_SLOT_VOLATILE || step == UINT32_MAX ||
           (step >= tables->used[FUZZ_SLOTS - 1] &&
            wm_counter_store_limit(tables->pib.store, FUZZ_SLOTS - 1) > step);
}

bool fuzz_tables_moved(const fuzz_tables *was, const fuzz_tables *now)
{
    const wm_frame_counter *moved;
    uint32_t from;

    return fuzz_counters_moved(was, now, &moved, &from) != 0 ||
           memcmp(&was->pib, &now->pib, sizeof was->pib) != 0 ||
           memcmp(was->key_device, now->key_device, sizeof was->key_device) != 0;
}
