/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that a header of libtomcrypt mentions; no clock is ever read. */
#ifndef LIBRARY_TIME_H
#define LIBRARY_TIME_H
typedef unsigned long clock_t;
typedef unsigned long time_t;
clock_t clock(void);
#endif
