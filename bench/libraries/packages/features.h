// SPDX-License-Identifier: BSD-3-Clause
// PQClean asks glibc's header for the age of gcc, also where there is no glibc.
#if __has_include_next(<features.h>)
#include_next <features.h>
#else
#define __GNUC_PREREQ(major, minor) 1
#endif
