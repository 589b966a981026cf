/* SPDX-License-Identifier: BSD-3-Clause */
/** @file csma_read.h
 *  How a frame is read out of the CC2420. An image that cannot have interrupts off for as long as
 *  csma_read.c has them off, a quarter of a millisecond, brings another one. */
#ifndef DRIVER_CC2420_CSMA_READ_H
#define DRIVER_CC2420_CSMA_READ_H

#include <stdint.h>

/** Reads `len` octets, at least 1. */
void csma_read(uint8_t *to, uint8_t len);

#endif
