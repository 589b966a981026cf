/* SPDX-License-Identifier: BSD-3-Clause */
/** @file engine_double.h
 *  Ciphers of the stack as engines that fail at one block, which they then leave as it was. */
#ifndef TESTS_STACK_MODE_ENGINE_DOUBLE_H
#define TESTS_STACK_MODE_ENGINE_DOUBLE_H

#include <wardmote/aes128.h>
#include <wardmote/curupira2.h>

/** The operation that fails, counted from 1; 0: none. Counting begins anew. */
void engine_double_fail_at(uint16_t operation);

/** How many operations there were. */
uint16_t engine_double_count(void);

/** A key of AES-128 that goes through the engine. */
void engine_double_aes128(wm_aes128_small_key *key, const uint8_t octets[16]);

/** A key of Curupira-2 that goes through the engine. */
void engine_double_curupira2(wm_curupira2_key *key, const uint8_t octets[12]);

#endif
