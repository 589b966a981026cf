/* SPDX-License-Identifier: BSD-3-Clause */
/** @file led.h
 *  LEDs as marks of phases: an instruction of two cycles each. */
#ifndef IMAGE_PICTURE_LED_H
#define IMAGE_PICTURE_LED_H

#include <stdint.h>
#include "registers.h"

static inline void led_on(uint8_t led)
{
    PORTA &= (uint8_t)~led;
}

static inline void led_off(uint8_t led)
{
    PORTA |= led;
}

#endif
