/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints to the compiler; every one may be empty without changing a result. */
#ifndef WM_UTIL_COMPILER_H
#define WM_UTIL_COMPILER_H

#if defined(__GNUC__)
#define WM_NOINLINE __attribute__((noinline))
#define WM_ALWAYS_INLINE __attribute__((always_inline))
#else
#define WM_NOINLINE
#define WM_ALWAYS_INLINE
#endif

#endif
