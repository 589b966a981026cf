/* SPDX-License-Identifier: BSD-3-Clause */
/** @file harness.h
 *  Shared by the fuzz targets: reading the fuzzer's octets as values, memory of exact size, and
 *  keys.
 *
 *  A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput. It judges what the stack did, not
 *  only whether it survived: FUZZ_REQUIRE stops with the condition that did not hold. */
#ifndef WM_FUZZ_HARNESS_H
#define WM_FUZZ_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wardmote/aes128.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_TAKEN 0    /**< result: the input may join the corpus */
#define FUZZ_USELESS -1 /**< result: it may not; it asked for nothing that can be done */

/** Ends the program, which libFuzzer reports with the input, if `condition` does not hold. */
#define FUZZ_REQUIRE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/** What is left of the fuzzer's octets. */
typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

/** The next octet; 0 when there is none left. */
static inline uint8_t fuzz_u8(fuzz_input *in)
{
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->at++;
}

static inline uint16_t fuzz_u16(fuzz_input *in)
{
    const uint8_t low = fuzz_u8(in);

    return (uint16_t)(low | fuzz_u8(in) << 8);
}

static inline uint32_t fuzz_u32(fuzz_input *in)
{
    const uint16_t low = fuzz_u16(in);

    return low | (uint32_t)fuzz_u16(in) << 16;
}

/** Fills `len` octets, with zeros when the input ends. */
static inline void fuzz_octets(fuzz_input *in, uint8_t *to, size_t len)
{
    while (len-- != 0) {
        *to++ = fuzz_u8(in);
    }
}

/** A copy on the heap of exactly `len` octets: AddressSanitizer sees one octet read or written past
 *  it. */
static inline uint8_t *fuzz_copy(const uint8_t *from, size_t len)
{
    uint8_t *copy = malloc(len);

    if (len == 0) {
        return copy;
    }
    FUZZ_REQUIRE(copy != NULL);
    return memcpy(copy, from, len);
}

static inline bool fuzz_all(const uint8_t *octets, size_t len, uint8_t value)
{
    while (len != 0 && octets[len - 1] == value) {
        len--;
    }
    return len == 0;
}

/** Key `which & 1` of two that differ, made at the first call; under `small` where which & 2. */
const wm_cipher *fuzz_key(uint8_t which);

/** The same key, 16 octets. */
const uint8_t *fuzz_key_octets(uint8_t which);

#endif
