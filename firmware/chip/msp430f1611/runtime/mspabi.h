/* SPDX-License-Identifier: BSD-3-Clause */
/** @file mspabi.h
 *  The helpers of the MSP430 EABI (SLAA534 §6) that clang calls, as C functions. Only the compiler
 *  and the tests call them. Multiplication uses the hardware multiplier with interrupts disabled.
 *  Division by zero, undefined in C, ends after the usual steps with a quotient of all ones before
 *  signs are applied and the dividend as remainder. */
#ifndef CHIP_MSP430F1611_MSPABI_H
#define CHIP_MSP430F1611_MSPABI_H

#include <stdint.h>

uint16_t __mspabi_mpyi(uint16_t a, uint16_t b);    /**< low 16 bits of a product */
uint16_t __mspabi_mpyi_hw(uint16_t a, uint16_t b); /**< the same, as called with -mhwmult=16bit */
uint32_t __mspabi_mpyl(uint32_t a, uint32_t b);    /**< low 32 bits of a product */
uint32_t __mspabi_mpyl_hw(uint32_t a, uint32_t b);

uint16_t __mspabi_divu(uint16_t n, uint16_t d);
uint16_t __mspabi_remu(uint16_t n, uint16_t d);
int16_t __mspabi_divi(int16_t n, int16_t d);
int16_t __mspabi_remi(int16_t n, int16_t d);
uint32_t __mspabi_divul(uint32_t n, uint32_t d);
uint32_t __mspabi_remul(uint32_t n, uint32_t d);
int32_t __mspabi_divli(int32_t n, int32_t d);
int32_t __mspabi_remli(int32_t n, int32_t d);

uint64_t __mspabi_mpyll(uint64_t a, uint64_t b); /**< low 64 bits of a product */
uint64_t __mspabi_mpyll_hw(uint64_t a, uint64_t b);

/** What __mspabi_divull, remull, divlli and remlli call, whose registers C cannot name. */
uint64_t runtime_divide_u64(uint64_t n, uint64_t d);
uint64_t runtime_remainder_u64(uint64_t n, uint64_t d);
int64_t runtime_divide_s64(int64_t n, int64_t d);
int64_t runtime_remainder_s64(int64_t n, int64_t d);

/* Shifts by 0..31; only the low 5 bits of `n` count. */
uint32_t __mspabi_slll(uint32_t a, uint16_t n);
uint32_t __mspabi_srll(uint32_t a, uint16_t n);
int32_t __mspabi_sral(int32_t a, uint16_t n);

#endif
