/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_registers.h
 *  Command strobes, registers and memory of the CC2420 by the names of its data sheet
 *  (SWRS041B). */
#ifndef DRIVER_CC2420_REGISTERS_H
#define DRIVER_CC2420_REGISTERS_H

/* First octet of an access: register address, or'ed with CC2420_READ to read. Memory: see
 * CC2420_RAM*. */
#define CC2420_READ 0x40u

/* Command strobes. */
#define CC2420_SNOP 0x00u
#define CC2420_SXOSCON 0x01u
#define CC2420_STXCAL 0x02u
#define CC2420_SRXON 0x03u
#define CC2420_STXON 0x04u
#define CC2420_STXONCCA 0x05u
#define CC2420_SRFOFF 0x06u
#define CC2420_SXOSCOFF 0x07u
#define CC2420_SFLUSHRX 0x08u
#define CC2420_SFLUSHTX 0x09u
#define CC2420_SACK 0x0Au
#define CC2420_SACKPEND 0x0Bu
#define CC2420_SRXDEC 0x0Cu
#define CC2420_STXENC 0x0Du
#define CC2420_SAES 0x0Eu

/* Registers. */
#define CC2420_MAIN 0x10u
#define CC2420_MDMCTRL0 0x11u
#define CC2420_MDMCTRL1 0x12u
#define CC2420_RSSI 0x13u
#define CC2420_SYNCWORD 0x14u
#define CC2420_TXCTRL 0x15u
#define CC2420_RXCTRL0 0x16u
#define CC2420_RXCTRL1 0x17u
#define CC2420_FSCTRL 0x18u
#define CC2420_SECCTRL0 0x19u
#define CC2420_SECCTRL1 0x1Au
#define CC2420_BATTMON 0x1Bu
#define CC2420_IOCFG0 0x1Cu
#define CC2420_IOCFG1 0x1Du
#define CC2420_MANFIDL 0x1Eu
#define CC2420_MANFIDH 0x1Fu
#define CC2420_TXFIFO 0x3Eu
#define CC2420_RXFIFO 0x3Fu

/* Status octet, the answer to the first octet of every access. */
#define CC2420_XOSC16M_STABLE 0x40u
#define CC2420_TX_UNDERFLOW 0x20u
#define CC2420_ENC_BUSY 0x10u
#define CC2420_TX_ACTIVE 0x08u
#define CC2420_LOCK 0x04u
#define CC2420_RSSI_VALID 0x02u

/* Register values that are not those after reset. */
/* no address decoding, FCS made and checked, no automatic acknowledgement */
#define CC2420_MDMCTRL0_PLAIN 0x02E2u
#define CC2420_MDMCTRL0_ADR_DECODE 0x0800u
#define CC2420_MDMCTRL0_AUTOACK 0x0010u
#define CC2420_TXCTRL_SHORT 0x80FFu /* TX_TURNAROUND 0: 8 symbol periods; the rest as after reset */
#define CC2420_RXCTRL1_RECOMMENDED 0x2A56u /* RXBPF_LOCUR, as the data sheet asks */
#define CC2420_IOCFG0_FIFOP_LATE 0x007Fu   /* FIFOP at the end of a frame only */
#define CC2420_FSCTRL_11 0x4165u           /* LOCK_THR 1, 2405 MHz; 5 per channel */

#define CC2420_MAIN_RUN 0xF800u /* nothing in reset */
#define CC2420_MAIN_ENC_RESETN 0x4000u

/* SECCTRL0. */
#define CC2420_RXFIFO_PROTECTION 0x0200u
#define CC2420_SEC_CBC_HEAD 0x0100u
#define CC2420_SEC_SAKEYSEL 0x0080u
#define CC2420_SEC_TXKEYSEL 0x0040u
#define CC2420_SEC_RXKEYSEL 0x0020u
#define CC2420_SEC_M_SHIFT 2 /* (M - 2) / 2, M = 4, 6 .. 16 */
#define CC2420_SEC_OFF 0u
#define CC2420_SEC_CBC_MAC 1u
#define CC2420_SEC_CTR 2u
#define CC2420_SEC_CCM 3u
#define CC2420_SECCTRL0_RESET 0x03C4u
#define CC2420_SECCTRL1_RESET 0x0000u

/* What becomes of the last MIC octet of a received frame. */
#define CC2420_MIC_RIGHT 0x00u
#define CC2420_MIC_WRONG 0xFFu

/* Memory. An access begins with two octets, low address bits and bank; bit 5 of the second says
 * read only. */
#define CC2420_RAM_TXFIFO 0x000u
#define CC2420_RAM_RXFIFO 0x080u
#define CC2420_RAM_KEY0 0x100u
#define CC2420_RAM_RXNONCE 0x110u
#define CC2420_RAM_SABUF 0x120u
#define CC2420_RAM_KEY1 0x130u
#define CC2420_RAM_TXNONCE 0x140u
#define CC2420_RAM_CBCSTATE 0x150u
#define CC2420_RAM_IEEEADR 0x160u
#define CC2420_RAM_PANID 0x168u
#define CC2420_RAM_SHORTADR 0x16Au
#define CC2420_RAM_FIRST(address) ((uint8_t)(0x80u | ((address) & 0x7Fu)))
#define CC2420_RAM_SECOND(address) ((uint8_t)((address) >> 1 & 0xC0u))
#define CC2420_RAM_READ 0x20u
#define CC2420_FIFO_SIZE 128u

/* Identity of the chip: MANFIDL, low half of MANFIDH is version dependent. */
#define CC2420_MANFIDL_CHIPCON 0x233Du

#endif
