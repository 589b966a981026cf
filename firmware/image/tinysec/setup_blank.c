/* SPDX-License-Identifier: BSD-3-Clause */
/* A mote that stops until its block is written. */
#include "tinysec_block.h"

TINYSEC_SETUP_FLASH = {0};
