/* SPDX-License-Identifier: BSD-3-Clause */
/** @file data.h
 *  What the operations work on: octet n of the message is n, keys are 64, 65, .., nonces and
 *  counters 128, 129, .. */
#ifndef FIRMWARE_EVENTS_DATA_H
#define FIRMWARE_EVENTS_DATA_H

#include <stdint.h>
#include <wardmote/block128.h>
#include "events_block.h"

#define DATA_INPUT 128u /**< octets of the longest message */

extern uint8_t data_input[DATA_INPUT];
extern uint8_t data_key[16];
extern uint8_t data_nonce[16];

/** Begins with the message; afterwards it is the result. */
extern union data_result {
    wm_block128 block[EVENTS_OUTPUT_MAX / 16u];
    uint8_t octet[EVENTS_OUTPUT_MAX];
} data_result;

#endif
