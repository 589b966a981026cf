/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixed addresses, so that every run of a function meets the same ones; also for assembly. */
#ifndef WM_ADDRESSES_H
#define WM_ADDRESSES_H

#define SAVED 0x40000000 /* the arena as it was before a timed call */
#define ARENA 0x60000000 /* the memory that a call is given */
#define STACK 0x6FF00000 /* the stack of the called function */
#define AREA_OCTETS 0x100000
#define STACK_TOP (STACK + AREA_OCTETS)
#define WORDS 16 /* of arguments, at most */

#endif
