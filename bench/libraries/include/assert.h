/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries include this one; nothing is asserted while they are measured. */
#undef assert
#define assert(condition) ((void)0)
