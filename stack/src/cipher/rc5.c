/* SPDX-License-Identifier: BSD-3-Clause */
/* RC5-32/12: functions for the modes. */
#include <wardmote/rc5.h>
#include "functions.h"

WM_CIPHER_FUNCTIONS(wm_rc5, "rc5", 8)
