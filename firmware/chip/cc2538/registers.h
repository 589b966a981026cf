/* SPDX-License-Identifier: BSD-3-Clause */
/** @file registers.h
 *  The registers of the CC2538 that this firmware needs, by the names of the user's guide
 *  (SWRU319). */
#ifndef CHIP_CC2538_REGISTERS_H
#define CHIP_CC2538_REGISTERS_H

#include <stdint.h>

#define REG32(address) (*(volatile uint32_t *)(address))

/* System control. xCGC: clock gates while running (R), sleeping (S), in deep sleep (D). */
#define CLOCK_CTRL REG32(0x400D2000)
#define CLOCK_STA REG32(0x400D2004)
#define RCGCSEC REG32(0x400D2048)
#define PMCTL REG32(0x400D2058)
#define IWE REG32(0x400D2094)
#define RCGCRFC REG32(0x400D20A8)
#define SCGCRFC REG32(0x400D20AC)
#define CLOCK_OSC32K 0x01000000u /* 32 kHz: RC oscillator, not the crystal */
#define CLOCK_OSC_PD 0x00020000u /* stop the high-speed oscillator that is not used */
#define CLOCK_OSC 0x00010000u    /* 16 MHz RC oscillator, not the 32 MHz crystal */
#define CLOCK_IO_DIV_16MHZ 0x00000100u
#define CLOCK_SYS_DIV_32MHZ 0x00000000u
#define CLOCK_SYS_DIV_16MHZ 0x00000001u
#define CLOCK_SYNC_32K 0x04000000u /* CLOCK_STA: level of the 32 kHz clock */
#define PMCTL_PM0 0u
#define PMCTL_PM2 2u
#define IWE_SLEEP_TIMER 0x20u /* what may end a power mode above PM0 */
#define CGC_AES 0x02u         /* RCGCSEC */
#define CGC_RF 0x01u          /* RCGCRFC, SCGCRFC */

/* Sleep timer: 32 bits at 32 768 Hz, an octet a register. Reading ST0 latches the others; writing
 * it loads the compare value from all four. */
#define ST0 REG32(0x400D5040)
#define ST1 REG32(0x400D5044)
#define ST2 REG32(0x400D5048)
#define ST3 REG32(0x400D504C)
#define STLOAD REG32(0x400D5050)
#define STLOAD_READY 0x01u /* the latest compare value is taken over */

/* MAC timer: 16 bits that count the 32 MHz crystal, and 24 that count their overflows, an octet a
 * register. MTMSEL says which value MTM0 to MTMOVF2 are; reading MTMOVF0 latches the higher octets. */
#define MTCTRL REG32(0x40088804)
#define MTIRQM REG32(0x40088808)
#define MTIRQF REG32(0x4008880C) /* flags are cleared by writing 0 */
#define MTMSEL REG32(0x40088810)
#define MTM0 REG32(0x40088814)
#define MTM1 REG32(0x40088818)
#define MTMOVF2 REG32(0x4008881C)
#define MTMOVF1 REG32(0x40088820)
#define MTMOVF0 REG32(0x40088824)
#define MTCTRL_RUN 0x01u
#define MTCTRL_SYNC 0x02u /* RUN takes effect at the next edge of the 32 kHz clock */
#define MTCTRL_STATE 0x04u
#define MTMSEL_PERIOD 0x02u
#define MTMSEL_OVERFLOW_COMPARE1 0x30u
#define MT_OVERFLOW_COMPARE1 0x10u /* MTIRQM, MTIRQF */

/* GPIO. A write to address 4 * mask of a port changes the bits of `mask` only. */
#define GPIO_A 0x400D9000u
#define GPIO_B 0x400DA000u
#define GPIO_C 0x400DB000u
#define GPIO_D 0x400DC000u
#define GPIO_DATA(port, mask) REG32((port) + ((uint32_t)(mask) << 2))
#define GPIO_DIR(port) REG32((port) + 0x400u)
#define GPIO_AFSEL(port) REG32((port) + 0x420u)

/* Pads. */
#define IOC_PD6_OVER REG32(0x400D40F8)
#define IOC_PD7_OVER REG32(0x400D40FC)
#define IOC_OVERRIDE_ANALOG 0x01u

/* Radio: registers are octets at word addresses. */
#define FFSM_PAN_ID0 REG32(0x400885C8)
#define FFSM_PAN_ID1 REG32(0x400885CC)
#define FFSM_SHORT_ADDR0 REG32(0x400885D0)
#define FFSM_SHORT_ADDR1 REG32(0x400885D4)
#define FRMFILT0 REG32(0x40088600)
#define SRCMATCH REG32(0x40088608)
#define FRMCTRL0 REG32(0x40088624)
#define FREQCTRL REG32(0x4008863C)
#define TXPOWER REG32(0x40088640)
#define FIFOPCTRL REG32(0x40088650)
#define CCACTRL0 REG32(0x40088658)
#define RFIRQM0 REG32(0x4008868C)
#define RFIRQM1 REG32(0x40088690)
#define FSMSTAT1 REG32(0x4008864C)
#define RFERRF REG32(0x4008882C)
#define RFERRF_TXUNDERF 0x20u /* the transmit FIFO ran empty; a write of 0 clears it */
#define RFERRF_ALL 0x7Fu
#define FSCAL1 REG32(0x400886B8)
#define AGCCTRL1 REG32(0x400886C8)
#define TXFILTCFG REG32(0x400887E8)
#define RFDATA REG32(0x40088828)
#define RFIRQF1 REG32(0x40088830)
#define RFIRQF0 REG32(0x40088834)
#define RFST REG32(0x40088838)
#define IVCTRL REG32(0x400D6004)
#define RFIRQ0_SFD 0x02u
#define FSMSTAT1_FIFO 0x80u        /* there is something to be read, and no overflow */
#define FSMSTAT1_FIFOP 0x40u       /* a whole frame is there, or an overflow */
#define FSMSTAT1_SAMPLED_CCA 0x08u /* at the last ISTXONCCA the channel was clear */
#define FSMSTAT1_TX_ACTIVE 0x02u
#define RFIRQ0_FIFOP 0x04u
#define RFIRQ0_RXPKTDONE 0x40u
#define RFIRQ1_TXDONE 0x02u
#define RFST_ISRXON 0xE3u
#define RFST_ISTXON 0xE9u
#define RFST_ISTXONCCA 0xEAu
#define RFST_ISFLUSHRX 0xEDu
#define RFST_ISFLUSHTX 0xEEu
#define RFST_ISRFOFF 0xEFu

/* Security engine: DMA channel 0 brings data in, channel 1 takes it out; a write of a length starts
 * a channel. */
#define DMAC_CH0_CTRL REG32(0x4008B000)
#define DMAC_CH0_EXTADDR REG32(0x4008B004)
#define DMAC_CH0_DMALENGTH REG32(0x4008B00C)
#define DMAC_SWRES REG32(0x4008B01C)
#define DMAC_CH1_CTRL REG32(0x4008B020)
#define DMAC_CH1_EXTADDR REG32(0x4008B024)
#define DMAC_CH1_DMALENGTH REG32(0x4008B02C)
#define KEY_STORE_WRITE_AREA REG32(0x4008B400)
#define KEY_STORE_WRITTEN_AREA REG32(0x4008B404)
#define KEY_STORE_SIZE REG32(0x4008B408)
#define KEY_STORE_READ_AREA REG32(0x4008B40C)
#define AES_IV_0 REG32(0x4008B540)
#define AES_IV_1 REG32(0x4008B544)
#define AES_IV_2 REG32(0x4008B548)
#define AES_IV_3 REG32(0x4008B54C)
#define AES_CTRL REG32(0x4008B550)
#define AES_C_LENGTH_0 REG32(0x4008B554)
#define AES_C_LENGTH_1 REG32(0x4008B558)
#define AES_AUTH_LENGTH REG32(0x4008B55C)
#define AES_TAG_OUT_0 REG32(0x4008B570)
#define AES_TAG_OUT_1 REG32(0x4008B574)
#define AES_TAG_OUT_2 REG32(0x4008B578)
#define AES_TAG_OUT_3 REG32(0x4008B57C)
#define CTRL_ALG_SEL REG32(0x4008B700)
#define CTRL_INT_CFG REG32(0x4008B780)
#define CTRL_INT_EN REG32(0x4008B784)
#define CTRL_INT_CLR REG32(0x4008B788)
#define CTRL_INT_STAT REG32(0x4008B790)
#define DMAC_CH_EN 0x01u
#define KEY_SIZE_128 0x01u
#define KEY_STORE_BUSY 0x80000000u
#define AES_SAVED_CONTEXT_READY 0x40000000u
#define AES_SAVE_CONTEXT 0x20000000u
#define AES_CCM_M_SHIFT 22 /* M' of RFC 3610 */
#define AES_CCM_L_SHIFT 19 /* L' */
#define AES_CCM 0x00040000u
#define AES_CTR_WIDTH_128 0x00000180u
#define AES_CTR 0x00000040u
#define AES_ENCRYPT 0x00000004u
#define ALG_KEY_STORE 0x01u
#define ALG_AES 0x02u
#define ALG_NONE 0x00u
#define INT_CFG_LEVEL 0x01u
#define INT_RESULT_AV 0x00000001u
#define INT_DMA_IN_DONE 0x00000002u
#define INT_KEY_ST_RD_ERR 0x20000000u
#define INT_KEY_ST_WR_ERR 0x40000000u
#define INT_DMA_BUS_ERR 0x80000000u

/* Interrupt lines of the default map. ISER and ICPR hold 32 lines a word. */
#define IRQ_RF 141u
#define IRQ_SLEEP_TIMER 145u
#define IRQ_MAC_TIMER 146u
#define SYST_CSR REG32(0xE000E010)
#define SYST_RVR REG32(0xE000E014)
#define SYST_CVR REG32(0xE000E018)
#define SYST_ENABLE 0x01u
#define SYST_TICKINT 0x02u
#define SYST_CORE_CLOCK 0x04u
#define ICSR REG32(0xE000ED04)
#define ICSR_PENDSTCLR 0x02000000u
#define SCR REG32(0xE000ED10)
#define SCR_SLEEPDEEP 0x04u
#define NVIC_ISER(line) REG32(0xE000E100u + (line) / 32u * 4u)
#define NVIC_ICPR(line) REG32(0xE000E280u + (line) / 32u * 4u)
#define NVIC_BIT(line) (1u << (line) % 32u)

#endif
