/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ipsec_target.h
 *  What the targets of IPsec do: two nodes, packets between them, and what must hold. */
#ifndef WM_FUZZ_IPSEC_TARGET_H
#define WM_FUZZ_IPSEC_TARGET_H

#include "harness.h"

#define FUZZ_AH 1u
#define FUZZ_ESP 2u

/** An input under these protocols; with both, ESP is in AH. Its first octet chooses algorithms. */
int fuzz_ipsec(const uint8_t *data, size_t size, unsigned protocols);

#endif
