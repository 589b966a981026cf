/* SPDX-License-Identifier: BSD-3-Clause */
/* Lanes in parts as wide as a register: one octet, two, or four. */
#ifndef WM_HASH_PARTS_H
#define WM_HASH_PARTS_H

#include <stdint.h>

/* PART: the member of a state that has its lanes so. */
#if defined(__AVR__)
#define PARTS 8
#define PART octet
typedef uint8_t part;
#elif UINTPTR_MAX > 0xffff
#define PARTS 2
#define PART lane
typedef uint32_t part;
#else
#define PARTS 4
#define PART half
typedef uint16_t part;
#endif

/* `step` for every part; written out, so that each is at a constant distance from the first. */
#if PARTS == 8
#define EACH_PART(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)
#elif PARTS == 4
#define EACH_PART(step) step(0) step(1) step(2) step(3)
#else
#define EACH_PART(step) step(0) step(1)
#endif

#endif
