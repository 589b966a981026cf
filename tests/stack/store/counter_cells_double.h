/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counter_cells_double.h
 *  A medium for counter_cells.h in RAM. Its power fails when the test says so. */
#ifndef TESTS_STACK_STORE_COUNTER_CELLS_DOUBLE_H
#define TESTS_STACK_STORE_COUNTER_CELLS_DOUBLE_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/counter_cells.h>

#define COUNTER_CELLS_DOUBLE_AT 3 /**< of the counter; octets around it must stay as they are */
#define COUNTER_CELLS_DOUBLE_OCTETS                                                                \
    (COUNTER_CELLS_DOUBLE_AT + WM_COUNTER_CELLS_OCTETS + COUNTER_CELLS_DOUBLE_AT)

typedef struct counter_cells_double {
    uint8_t octet[COUNTER_CELLS_DOUBLE_OCTETS];
    uint8_t worn[COUNTER_CELLS_DOUBLE_OCTETS]; /**< 1: it stays as it is, 2: becomes another */
    uint16_t operations;                       /**< since `fuse` was set */
    uint16_t fuse; /**< the write that is interrupted, counted from 1; 0: none */
    uint8_t left;  /**< what the interrupted octet reads as */
    bool off;      /**< power has failed: nothing is written any more */
    bool outside;  /**< an octet was asked for that is not the counter's */
} counter_cells_double;

/** The medium of all calls from now on. */
void counter_cells_double_use(counter_cells_double *medium);

/** The functions of a wm_counter, for callers that have no pointers to functions. */
uint32_t counter_cells_double_limit(const wm_counter_cells *cells);
bool counter_cells_double_continues(const wm_counter_cells *cells, uint32_t next);
wm_status counter_cells_double_advance(wm_counter_cells *cells, uint32_t next);
wm_status counter_cells_double_clear(wm_counter_cells *cells);

#endif
