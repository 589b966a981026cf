/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins of a node like TelosB. The board's pins.h says where the radio's control lines (port 4) and
 * the mark SLOT (port 6) are. Unconnected pins are outputs, so that none floats. The other marks, as
 * image/slot/slot_block.h says: SEC1 P2.0, SEC2 P2.1, SEC3 P2.3, SEC4 P2.6. */
#include "pins.h"
#include "board.h"
#include "registers.h"

#define P2_SEC1 0x01u
#define P2_SEC2 0x02u
#define P2_SEC3 0x08u
#define P2_SEC4 0x40u
#define P2_ROSC 0x20u

/* Inputs, because something else may drive them: */
#define P1_INPUTS 0x1Fu /* 0 FIFOP, 1 loader's UART (shorted to P3.6), 2 UART, 3 FIFO, 4 CCA */
#define P2_INPUTS 0xB4u /* 2 loader's UART, 4 serial number, 5 Rosc, 7 button */
#define P3_SOMI 0x04u
#define P3_UART_RX 0x80u
#define P3_UART_TX 0x40u /* idles high */
#define P4_FLASH_CSN 0x10u
#define P4_SFD 0x02u
#define P5_LEDS 0x70u /* lit when low */

void board_pins(void)
{
    P1SEL = 0;
    P1DIR = (uint8_t)~P1_INPUTS;
    P1OUT = 0;
    P2SEL = P2_ROSC;
    P2OUT = 0;
    P2DIR = (uint8_t)~P2_INPUTS;
    P3SEL = 0;
    P3OUT = P3_UART_TX;
    P3DIR = (uint8_t)~(P3_SOMI | P3_UART_RX);
    P4SEL = 0;
    P4OUT = P4_FLASH_CSN | P4_CC2420_CSN | P4_CC2420_RESETN;
    P4DIR = (uint8_t)~P4_SFD;
    P5SEL = 0;
    P5OUT = P5_LEDS;
    P5DIR = 0xFF;
    P6SEL = 0;
    P6OUT = 0;
    P6DIR = 0xFF;
}

/* One BIS or BIC, 4 or 5 cycles. In assembly, because clang would merge the cases of the switch
 * below into one with the mask in a register. */
#define CHANGE(instruction, port, mask)                                                            \
    __asm__ volatile(instruction " %1, %0" : "+m"(port) : "i"(mask))

#define CHANGE_IF(mark, instruction, port, mask)                                                   \
    case mark:                                                                                     \
        CHANGE(instruction, port, mask);                                                           \
        break

/* Does `instruction` to the pin of `phase`. */
#define CHANGE_MARK(instruction, phase)                                                            \
    switch (phase) {                                                                               \
        CHANGE_IF(WM_MARK_SEC1, instruction, P2OUT, P2_SEC1);                                      \
        CHANGE_IF(WM_MARK_SEC2, instruction, P2OUT, P2_SEC2);                                      \
        CHANGE_IF(WM_MARK_SEC3, instruction, P2OUT, P2_SEC3);                                      \
        CHANGE_IF(WM_MARK_SEC4, instruction, P2OUT, P2_SEC4);                                      \
        CHANGE_IF(WM_MARK_SLOT, instruction, P6OUT, P6_MARK_SLOT);                                 \
    }

void wm_port_mark_begin(wm_mark phase)
{
    CHANGE_MARK("bis.b", phase)
}

void wm_port_mark_end(wm_mark phase)
{
    CHANGE_MARK("bic.b", phase)
}
