/* SPDX-License-Identifier: BSD-3-Clause */
/** @file operations.h
 *  The operations of the loop's task. Octet n of the input is n; keys are 64, 65, .., nonces and
 *  counters 128, 129, ..; keys are expanded beforehand. In-place operations begin with the input in
 *  the output. */
#ifndef FIRMWARE_EVENTS_OPERATIONS_H
#define FIRMWARE_EVENTS_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/status.h>

typedef enum operation_number {
    OPERATION_NOTHING, /**< what the marks cost */
    OPERATION_WAIT,    /**< a delay loop: in it interrupts are measured */
    OPERATION_AES128,  /**< one block */
    OPERATION_CTR_16,  /**< AES-128 in CTR mode, 16 octets */
    OPERATION_CTR_128, /**< and 128 */
    OPERATION_SHA256,  /**< of 128 octets, as are all hashes */
    OPERATION_BLAKE2S,
    OPERATION_SHA3_256,
    OPERATION_ASCON_HASH256,
    OPERATION_HMAC_SHA256,   /**< of 128 octets, key of 16 */
    OPERATION_MARVIN,        /**< over Curupira-2, 108 octets, tag of 12 */
    OPERATION_LETTERSOUP,    /**< over Curupira-2, 108 octets, tag of 12 */
    OPERATION_CCM,           /**< the worst-case frame: a of 35 octets, m of 86, tag of 4 */
    OPERATION_EAX,           /**< 128 octets, tag of 16 */
    OPERATION_OCB3,          /**< 128 octets, tag of 16 */
    OPERATION_ASCON_AEAD128, /**< 128 octets, tag of 16 */
    OPERATION_KETJE_SR,      /**< 128 octets, tag of 16 */
    /* of as many octets as the block says: lengths.h */
    OPERATION_AES_BLOCKS,
    OPERATION_AES_BLOCKS_BACK,
    OPERATION_CURUPIRA_BLOCKS,
    OPERATION_CURUPIRA_BLOCKS_BACK,
    OPERATION_TRIVIUM,
    OPERATION_BLAKE2S_OF,
    OPERATION_SHA3_256_OF,
    OPERATION_HMAC_OF,
    OPERATION_MARVIN_OF,
    OPERATION_EAX_OF,
    OPERATION_OCB3_OF,
    OPERATION_LETTERSOUP_OF,
    OPERATION_KETJE_SR_OF,
    OPERATIONS
} operation_number;

/** Expands keys.
 *  @retval false  there is no such operation, or it refuses its key */
bool operations_start(uint8_t number);

/** Brings input and output to what a run begins with. */
void operations_prepare(void);

/** Runs the operation. */
wm_status operations_run(void);

/** Whether the first `len` octets (0..EVENTS_OUTPUT_MAX) of the output are `expected`. */
bool operations_right(const uint8_t *expected, uint8_t len);

#endif
