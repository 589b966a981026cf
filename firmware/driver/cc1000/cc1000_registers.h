/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc1000_registers.h
 *  Registers of the CC1000 by the names of its data sheet (SWRS048), with the bits that the driver
 *  uses. */
#ifndef CC1000_REGISTERS_H
#define CC1000_REGISTERS_H

#define CC1000_MAIN 0x00u
#define CC1000_FREQ_2A 0x01u
#define CC1000_FREQ_2B 0x04u
#define CC1000_FSEP1 0x07u
#define CC1000_CURRENT 0x09u
#define CC1000_FRONT_END 0x0Au
#define CC1000_PA_POW 0x0Bu
#define CC1000_PLL 0x0Cu
#define CC1000_CAL 0x0Eu
#define CC1000_MODEM2 0x0Fu
#define CC1000_MODEM1 0x10u
#define CC1000_MODEM0 0x11u
#define CC1000_MATCH 0x12u
#define CC1000_FSCTRL 0x13u
#define CC1000_TEST4 0x42u

/* MAIN: what transmits, which frequency register, what has no power. */
#define CC1000_RXTX 0x80u
#define CC1000_F_REG 0x40u
#define CC1000_RX_PD 0x20u
#define CC1000_TX_PD 0x10u
#define CC1000_FS_PD 0x08u
#define CC1000_CORE_PD 0x04u
#define CC1000_BIAS_PD 0x02u
#define CC1000_RESET_N 0x01u

/* CAL. */
#define CC1000_CAL_START 0x80u
#define CC1000_CAL_WAIT 0x20u
#define CC1000_CAL_COMPLETE 0x08u
#define CC1000_CAL_ITERATE 0x06u

#endif
