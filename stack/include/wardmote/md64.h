/* SPDX-License-Identifier: BSD-3-Clause */
/** @file md64.h
 *  What SHA-1 and SHA-256 keep beside their chaining value: the block that is being filled and
 *  the length of all of the message (FIPS 180-4 §5.1.1, §5.2.1). It is a part of their contexts;
 *  applications use nothing of it. */
#ifndef WARDMOTE_MD64_H
#define WARDMOTE_MD64_H

#include <stdint.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** Block and length of one message. */
typedef struct wm_md64 {
    /** of the message so far, low word first; their number modulo 64 are in the block */
    uint32_t octets[2];
    union {
        uint8_t octet[64];
        uint32_t word[16]; /**< of W_t, while the block goes through */
    } block;
} wm_md64;

WM_C_END

#endif
