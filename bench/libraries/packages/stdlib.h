// SPDX-License-Identifier: BSD-3-Clause
// PQClean names it and takes nothing from it.
#if __has_include_next(<stdlib.h>)
#include_next <stdlib.h>
#endif
