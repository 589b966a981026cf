/* SPDX-License-Identifier: BSD-3-Clause */
/** @file linkage.h
 *  Every public header puts its declarations between WM_C_BEGIN and WM_C_END, so that a C++ program
 *  finds the functions under their C names. */
#ifndef WARDMOTE_LINKAGE_H
#define WARDMOTE_LINKAGE_H

#if defined(__cplusplus)
#define WM_C_BEGIN extern "C" {
#define WM_C_END }
#define WM_STATIC_ASSERT static_assert
#else
#define WM_C_BEGIN
#define WM_C_END
#define WM_STATIC_ASSERT _Static_assert
#endif

#endif
