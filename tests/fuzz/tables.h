/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tables.h
 *  A security PIB whose tables the fuzzer fills, over a world so small that frames and tables often
 *  agree: two PANs, four short and three extended addresses, two key sources, three key indices. */
#ifndef WM_FUZZ_TABLES_H
#define WM_FUZZ_TABLES_H

#include "recipe.h"
#include <wardmote/security_procedures.h>

#define FUZZ_KEYS 2
#define FUZZ_DEVICES 3
#define FUZZ_COUNTERS (1 + FUZZ_KEYS + FUZZ_DEVICES + FUZZ_KEYS * FUZZ_DEVICES)
#define FUZZ_SLOTS (FUZZ_COUNTERS + 1) /**< of the store; the last one is the ASN's */
#define FUZZ_SEGMENT 144

/** The PIB with all that it points to. It may be copied away and back: what points into it then
 *  still does. */
typedef struct fuzz_tables {
    wm_security_pib pib;
    uint8_t small; /**< 2 where the keys are those of `small`, else 0; for fuzz_key */
    wm_key_descriptor key[FUZZ_KEYS];
    wm_key_id_lookup lookup[FUZZ_KEYS][2];
    wm_key_usage usage[FUZZ_KEYS][4];
    wm_key_device key_device[FUZZ_KEYS][FUZZ_DEVICES];
    wm_frame_counter key_counter[FUZZ_KEYS];
    wm_device_descriptor device[FUZZ_DEVICES];
    wm_frame_counter device_counter[FUZZ_DEVICES];
    wm_level_descriptor level[4];
    wm_ie_usage ie_usage[2];
    wm_counter_store store;
    uint32_t limit[FUZZ_SLOTS];
    uint32_t used[FUZZ_SLOTS]; /**< below it all was used in an earlier life */
    uint8_t medium[2][FUZZ_SEGMENT];
    bool medium_fails;
} fuzz_tables;

/** Fills the tables and restores the PIB, mostly. @return whether wm_pib_check accepts them */
bool fuzz_take_tables(fuzz_input *in, fuzz_tables *tables);

/** Bends header values into the small world, and the form of the ASH to the PIB's unless
 *  `stubborn`. */
void fuzz_bend_mhr(const fuzz_tables *tables, wm_mhr *mhr, bool stubborn);

/** Extended address `which & 3` of three. */
const uint8_t *fuzz_ext(uint8_t which);

/** Key Source `which & 1`. */
const uint8_t *fuzz_key_source(uint8_t which);

/** How many counters of `now` differ from those of `was`; `*moved` is the last of them in `now`,
 *  `*from` its value in `was`. */
unsigned fuzz_counters_moved(const fuzz_tables *was, const fuzz_tables *now,
                             const wm_frame_counter **moved, uint32_t *from);

/** Does the store keep that this counter moved on `from` there, and had it not been used in the
 *  earlier life? */
bool fuzz_counter_kept(const fuzz_tables *tables, const wm_frame_counter *moved, uint32_t from);

/** The same of the PIB's ASN, if the store is to keep it. */
bool fuzz_asn_kept(const fuzz_tables *tables);

/** Whether anything that a procedure may write differs: counters, blacklists, ASN. */
bool fuzz_tables_moved(const fuzz_tables *was, const fuzz_tables *now);

#endif
