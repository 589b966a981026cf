/* SPDX-License-Identifier: BSD-3-Clause */
/* What the Arduino IDE includes for the library; other headers are <wardmote/NAME.h>. */
#ifndef WARDMOTE_H
#define WARDMOTE_H

#include <wardmote/aes128.h>
#include <wardmote/link_security.h>
#include <wardmote/version.h>

#endif
