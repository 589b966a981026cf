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
#define COUNTER_DOUBLE_OCTETS 192

typedef struct counter_double {
    uint8_t octet[COUNTER_DOUBLE_OCTETS]; /**< segment after segment */
    uint8_t worn[COUNTER_DOUBLE_OCTETS];  /**< bits that stay as they are whatever is done */
    uint16_t erasures[COUNTER_DOUBLE_SEGMENTS_MAX];
    uint16_t operations; /**< units programmed and segments erased since `fuse` was set */
    uint16_t fuse;       /**< the operation that is interrupted, counted from 1; 0: none */
    uint32_t seed;       /**< which of its bits change */
    bool off;            /**< power has failed: every call does */
    bool broken;         /**< reads fail */
    bool overwritten;    /**< a unit was programmed twice, and not to zeros */
} counter_double;

/** 2 segments of 64 octets: 6 records each. */
extern const wm_counter_port counter_double_two;

/** 3 segments of 48 octets: 4 records each. */
extern const wm_counter_port counter_double_three;

/** Ports that no store can use: one segment, segments too small, and of an odd size. */
extern const wm_counter_port counter_double_single, counter_double_small, counter_double_odd;

#endif
