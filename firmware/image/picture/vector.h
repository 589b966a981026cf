/* SPDX-License-Identifier: BSD-3-Clause */
/** @file vector.h
 *  The initialisation vector of a transfer: the packet before its data. A node makes it, and its peer
 *  keeps it; or a coprocessor on the serial line does, and the nodes only pass it on. */
#ifndef IMAGE_PICTURE_VECTOR_H
#define IMAGE_PICTURE_VECTOR_H

#include <stdbool.h>
#include "picture_block.h"

typedef enum vector_found {
    VECTOR_THERE,
    VECTOR_NOT_YET,
    VECTOR_WRONG /**< the coprocessor has refused what it was told */
} vector_found;

/** A sender starts; the vector becomes the begin of its chain and the data of its first packet.
 *  @retval false  the counter does not work */
bool vector_start(const picture_setup *setup, uint8_t chain[PICTURE_BLOCK],
                  uint8_t data[PICTURE_BLOCK]);

/** Whether the vector is in both places. It is asked again after VECTOR_NOT_YET. */
vector_found vector_take(uint8_t chain[PICTURE_BLOCK], uint8_t data[PICTURE_BLOCK]);

/** A receiver: a transfer begins with this vector. */
void vector_came(const uint8_t vector[PICTURE_BLOCK]);

#endif
