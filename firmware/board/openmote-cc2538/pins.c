/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins of OpenMote-CC2538. Marks: SEC1..SEC4 PC4..PC7, the pins of the four LEDs, SLOT PD3. A mark
 * is one store: a write to a port's address of one bit changes that bit only. Pins that lead to
 * nothing or to the expansion connector alone are outputs, so that none floats. */
#include "board.h"
#include "registers.h"

#define C_SEC1 0x10u
#define C_SEC2 0x20u
#define C_SEC3 0x40u
#define C_SEC4 0x80u
#define C_MARKS (C_SEC1 | C_SEC2 | C_SEC3 | C_SEC4)
#define D_SLOT 0x08u

/* Inputs, because something else may drive them: */
#define A_INPUTS 0x01u /* 0 UART */
#define B_INPUTS 0x1Fu /* 0..2 interrupts of sensors, 3 and 4 I2C */
#define C_INPUTS 0x08u /* 3 button */
#define D_INPUTS 0xC0u /* 6, 7 crystal */

#define ALL 0xFFu

static void outputs(uint32_t port, uint32_t inputs)
{
    GPIO_AFSEL(port) = 0;
    GPIO_DATA(port, ALL) = 0;
    GPIO_DIR(port) = ALL & ~inputs;
}

void board_pins(void)
{
    outputs(GPIO_A, A_INPUTS);
    outputs(GPIO_B, B_INPUTS);
    outputs(GPIO_C, C_INPUTS);
    outputs(GPIO_D, D_INPUTS);
}

/* The pin of a phase. If the compiler knows the phase, this is a constant. */
static volatile uint32_t *mark_of(wm_mark phase)
{
    switch (phase) {
    case WM_MARK_SEC1:
        return &GPIO_DATA(GPIO_C, C_SEC1);
    case WM_MARK_SEC2:
        return &GPIO_DATA(GPIO_C, C_SEC2);
    case WM_MARK_SEC3:
        return &GPIO_DATA(GPIO_C, C_SEC3);
    case WM_MARK_SEC4:
        return &GPIO_DATA(GPIO_C, C_SEC4);
    default:
        return &GPIO_DATA(GPIO_D, D_SLOT);
    }
}

void wm_port_mark_begin(wm_mark phase)
{
    *mark_of(phase) = ALL;
}

void wm_port_mark_end(wm_mark phase)
{
    *mark_of(phase) = 0;
}
