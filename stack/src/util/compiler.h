/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints to the compiler; every one may be empty without changing a result. */
#ifndef WM_UTIL_COMPILER_H
#define WM_UTIL_COMPILER_H

#if defined(__GNUC__)
#define WM_NOINLINE __attribute__((noinline))
#else
#define WM_NOINLINE
#endif

#endif
