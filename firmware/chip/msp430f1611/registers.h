/* SPDX-License-Identifier: BSD-3-Clause */
/** @file registers.h
 *  Registers of the MSP430F1611 by the names of its data sheet (SLAS368) and user's guide
 *  (SLAU049). Bits are given for the modules that firmware uses; of the rest only the addresses. */
#ifndef CHIP_MSP430F1611_REGISTERS_H
#define CHIP_MSP430F1611_REGISTERS_H

#include <stdint.h>

#define REG8(address) (*(volatile uint8_t *)(address))
#define REG16(address) (*(volatile uint16_t *)(address))

/* Status register R2. */
#define SR_GIE 0x0008u
#define SR_CPUOFF 0x0010u
#define SR_OSCOFF 0x0020u
#define SR_SCG0 0x0040u
#define SR_SCG1 0x0080u
#define SR_LPM0 SR_CPUOFF
#define SR_LPM3 (SR_SCG1 | SR_SCG0 | SR_CPUOFF)
#define SR_LPM4 (SR_SCG1 | SR_SCG0 | SR_OSCOFF | SR_CPUOFF)

/* Special function registers. */
#define IE1 REG8(0x00)
#define IE2 REG8(0x01)
#define IFG1 REG8(0x02)
#define IFG2 REG8(0x03)
#define ME1 REG8(0x04)
#define ME2 REG8(0x05)
#define URXIFG0 0x40u /* IFG1: USART0 received an octet */
#define UTXIFG0 0x80u /* IFG1: U0TXBUF is free */
#define USPIE0 0x40u  /* ME1: USART0 in SPI mode enabled */
#define URXIE1 0x10u  /* IE2 */
#define UTXIE1 0x20u  /* IE2 */
#define UTXIFG1 0x20u /* IFG2: U1TXBUF is free */
#define URXE1 0x10u   /* ME2: USART1 receives */
#define UTXE1 0x20u   /* ME2: USART1 transmits */

/* Ports. */
#define P1IN REG8(0x20)
#define P1OUT REG8(0x21)
#define P1DIR REG8(0x22)
#define P1IFG REG8(0x23)
#define P1IES REG8(0x24)
#define P1IE REG8(0x25)
#define P1SEL REG8(0x26)
#define P2IN REG8(0x28)
#define P2OUT REG8(0x29)
#define P2DIR REG8(0x2A)
#define P2IFG REG8(0x2B)
#define P2IES REG8(0x2C)
#define P2IE REG8(0x2D)
#define P2SEL REG8(0x2E)
#define P3IN REG8(0x18)
#define P3OUT REG8(0x19)
#define P3DIR REG8(0x1A)
#define P3SEL REG8(0x1B)
#define P4IN REG8(0x1C)
#define P4OUT REG8(0x1D)
#define P4DIR REG8(0x1E)
#define P4SEL REG8(0x1F)
#define P5IN REG8(0x30)
#define P5OUT REG8(0x31)
#define P5DIR REG8(0x32)
#define P5SEL REG8(0x33)
#define P6IN REG8(0x34)
#define P6OUT REG8(0x35)
#define P6DIR REG8(0x36)
#define P6SEL REG8(0x37)

/* Basic clock module. */
#define DCOCTL REG8(0x56)  /* DCOx in 7:5, MODx in 4:0 */
#define BCSCTL1 REG8(0x57) /* XT2OFF, XTS, DIVAx, RSELx in 2:0 */
#define BCSCTL2 REG8(0x58) /* SELMx, DIVMx, SELS, DIVSx, DCOR */
#define XT2OFF 0x80u
#define DIVA_8 0x30u /* BCSCTL1: ACLK = LFXT1 / 8 */
#define RSEL_MASK 0x07u
#define DCOR 0x01u

/* USART0 and USART1. */
#define U0CTL REG8(0x70)
#define U0TCTL REG8(0x71)
#define U0RCTL REG8(0x72)
#define U0MCTL REG8(0x73)
#define U0BR0 REG8(0x74)
#define U0BR1 REG8(0x75)
#define U0RXBUF REG8(0x76)
#define U0TXBUF REG8(0x77)
#define U1CTL REG8(0x78)
#define U1TCTL REG8(0x79)
#define U1RCTL REG8(0x7A)
#define U1MCTL REG8(0x7B)
#define U1BR0 REG8(0x7C)
#define U1BR1 REG8(0x7D)
#define U1RXBUF REG8(0x7E)
#define U1TXBUF REG8(0x7F)
#define SWRST 0x01u      /* UxCTL */
#define MM 0x02u         /* UxCTL: master */
#define SYNC 0x04u       /* UxCTL: SPI */
#define CHAR 0x10u       /* UxCTL: 8 bits */
#define OE 0x20u         /* UxRCTL: an octet was not read in time */
#define TXEPT 0x01u      /* UxTCTL: shift register and U0TXBUF empty */
#define STC 0x02u        /* UxTCTL: 3-pin SPI */
#define SSEL_SMCLK 0x20u /* UxTCTL */
#define CKPH 0x80u       /* UxTCTL: data is sampled at the first edge */

/* Watchdog. */
#define WDTCTL REG16(0x120)
#define WDTPW 0x5A00u
#define WDTHOLD 0x0080u

/* DMA triggers, flash controller. */
#define DMACTL0 REG16(0x122)
#define DMACTL1 REG16(0x124)
#define FCTL1 REG16(0x128)
#define FCTL2 REG16(0x12A)
#define FCTL3 REG16(0x12C)
#define FWKEY 0xA500u       /* FCTLx: the key that every write needs */
#define ERASE 0x0002u       /* FCTL1: a write erases its segment */
#define WRT 0x0040u         /* FCTL1: a write programs */
#define FSSEL_SMCLK 0x0080u /* FCTL2: timing generator from SMCLK; divider - 1 in 5:0 */
#define LOCK 0x0010u        /* FCTL3: neither */

/* Hardware multiplier. */
#define MPY REG16(0x130)
#define MPYS REG16(0x132)
#define MAC REG16(0x134)
#define MACS REG16(0x136)
#define OP2 REG16(0x138)
#define RESLO REG16(0x13A)
#define RESHI REG16(0x13C)
#define SUMEXT REG16(0x13E)

/* Timer_A3. */
#define TAIV REG16(0x12E)
#define TACTL REG16(0x160)
#define TACCTL0 REG16(0x162)
#define TACCTL1 REG16(0x164)
#define TACCTL2 REG16(0x166)
#define TAR REG16(0x170)
#define TACCR0 REG16(0x172)
#define TACCR1 REG16(0x174)
#define TACCR2 REG16(0x176)

/* Timer_B7. */
#define TBIV REG16(0x11E)
#define TBCTL REG16(0x180)
#define TBCCTL0 REG16(0x182)
#define TBCCTL1 REG16(0x184)
#define TBCCTL2 REG16(0x186)
#define TBCCTL3 REG16(0x188)
#define TBCCTL4 REG16(0x18A)
#define TBCCTL5 REG16(0x18C)
#define TBCCTL6 REG16(0x18E)
#define TBR REG16(0x190)
#define TBCCR0 REG16(0x192)
#define TBCCR1 REG16(0x194)
#define TBCCR2 REG16(0x196)
#define TBCCR3 REG16(0x198)
#define TBCCR4 REG16(0x19A)
#define TBCCR5 REG16(0x19C)
#define TBCCR6 REG16(0x19E)

/* TxCTL and TxCCTLn of both timers. */
#define TSSEL_ACLK 0x0100u
#define TSSEL_SMCLK 0x0200u
#define ID_8 0x00C0u
#define MC_UP 0x0010u
#define MC_CONTINUOUS 0x0020u
#define TCLR 0x0004u
#define CM_RISING 0x4000u
#define CM_BOTH 0xC000u
#define CCIS_B 0x1000u
#define SCS 0x0800u
#define CAP 0x0100u
#define CCIE 0x0010u
#define CCI 0x0008u
#define COV 0x0002u
#define CCIFG 0x0001u

/* ADC12, DAC12 and DMA channels: addresses of their control registers. */
#define ADC12CTL0 REG16(0x1A0)
#define ADC12CTL1 REG16(0x1A2)
#define ADC12IFG REG16(0x1A4)
#define ADC12IE REG16(0x1A6)
#define ADC12IV REG16(0x1A8)
#define DAC12_0CTL REG16(0x1C0)
#define DAC12_1CTL REG16(0x1C2)
#define DMA0CTL REG16(0x1E0)
#define DMA1CTL REG16(0x1E8)
#define DMA2CTL REG16(0x1F0)

#endif
