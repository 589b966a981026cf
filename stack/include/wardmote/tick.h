/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tick.h
 *  The tick of the TSCH engine's clock (tsch.h, port/tsch_port.h): 1/32768 s, the crystal that
 *  every mote has, or 1/250000 s where a board has such a timer that is still right after a sleep.
 *  Define WM_TICK_HZ for all sources, those of the program too, or for none.
 *
 *  The clock has 16 bits, 2 s or 262 ms. What is armed or compared is less than half of that away,
 *  1 s or 131 ms, and a slot is shorter than a quarter, 500 ms or 65.5 ms. */
#ifndef WARDMOTE_TICK_H
#define WARDMOTE_TICK_H

#include <wardmote/linkage.h>

WM_C_BEGIN

/** Ticks in a second: 32768 or 250000. */
#ifndef WM_TICK_HZ
#define WM_TICK_HZ 32768
#endif

/* A tick is (WHOLE + REST / 512) us. An octet of the 2.4 GHz O-QPSK PHY, 32 us, is (WHOLE + REST /
 * 4096) ticks. */
#if WM_TICK_HZ == 32768
#define WM_TICK_US_WHOLE 30u
#define WM_TICK_US_REST 265u
#define WM_OCTET_TICKS_WHOLE 1u
#define WM_OCTET_TICKS_REST 199u
#elif WM_TICK_HZ == 250000
#define WM_TICK_US_WHOLE 4u
#define WM_TICK_US_REST 0u
#define WM_OCTET_TICKS_WHOLE 8u
#define WM_OCTET_TICKS_REST 0u
#else
#error "WM_TICK_HZ is 32768 or 250000"
#endif

/** Ticks nearest to `us` microseconds, a constant of at most 100 000. */
#define WM_TICKS_NEAR(us) ((int)(((us) * (WM_TICK_HZ / 8ul) + 62500ul) / 125000ul))

/** Ticks that last `us` microseconds at most, likewise. */
#define WM_TICKS_DOWN(us) ((int)((us) * (WM_TICK_HZ / 8ul) / 125000ul))

/** Ticks that last `us` microseconds at least, likewise. */
#define WM_TICKS_UP(us) ((int)(((us) * (WM_TICK_HZ / 8ul) + 124999ul) / 125000ul))

/* A program that counts other ticks than the stack does not find its template: it does not link. */
#if WM_TICK_HZ == 250000
#define wm_tsch_template_default wm_tsch_template_default_250000_hz
#endif

WM_C_END

#endif
