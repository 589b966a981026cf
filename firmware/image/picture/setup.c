/* SPDX-License-Identifier: BSD-3-Clause */
/* A mote that stops until its block is written. */
#include "picture_block.h"

/* An observer writes it from outside, so link-time optimisation must keep it. */
__attribute__((used, section(".progmem.setup"))) const picture_setup picture_setup_flash = {0};
