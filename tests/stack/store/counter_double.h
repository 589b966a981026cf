/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counter_double.h
 *  A medium for counter_store.h in RAM. Its power fails when the test says so. `medium` is a
 *  counter_double. */
#ifndef TESTS_STACK_STORE_COUNTER_DOUBLE_H
#define TESTS_STACK_STORE_COUNTER_DOUBLE_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/port/counter_port.h>

#define COUNTER_DOUBLE_SEGMENTS_MAX 3
#define COUNTER_DOUBLE_OCTETS 288
#define COUNTER_DOUBLE_UNITS 72

typedef struct counter_double {
    uint8_t octet[COUNTER_DOUBLE_OCTETS];     /**< segment after segment */
    uint8_t worn[COUNTER_DOUBLE_OCTETS];      /**< bits that stay as they are whatever is done */
    uint8_t unreadable[COUNTER_DOUBLE_UNITS]; /**< units of 4 or 8 whose ECC is wrong */
    uint16_t erasures[COUNTER_DOUBLE_SEGMENTS_MAX];
    uint16_t segment_octets; /**< of each */
    uint16_t operations;     /**< units programmed and segments erased since `fuse` was set */
    uint16_t fuse;           /**< the operation that is interrupted, counted from 1; 0: none */
    uint32_t seed;           /**< what is left behind then */
    uint8_t unit;
    bool copied;      /**< it is not ours any more */
    bool off;         /**< power has failed: every call does */
    bool broken;      /**< reads fail */
    bool overwritten; /**< a unit was programmed that must not be */
} counter_double;

/** 2 segments of 6 records in units of 2, 4 and 8. */
extern const wm_counter_port counter_double_two, counter_double_two4, counter_double_two8;

/** 3 segments of 4 records in units of 2, 4 and 8. */
extern const wm_counter_port counter_double_three, counter_double_three4, counter_double_three8;

/** Ports that no store can use: one segment, segments too small, of an odd size, units of 0, of 6 or
 *  16 octets, a segment of half a unit too much. */
extern const wm_counter_port counter_double_single, counter_double_small, counter_double_odd,
    counter_double_none, counter_double_six, counter_double_sixteen, counter_double_half;

#endif
