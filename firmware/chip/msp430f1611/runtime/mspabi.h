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

/** The product, and whether it does not fit 32 bits. */
int32_t __mulosi4(int32_t a, int32_t b, int16_t *overflow);

/** Numbers of IEEE 754 as their bits: `f` of 32, `d` of 64. Comparisons give -1, 0 or 1. If one
 *  operand is no number they give 1, since clang asks one function for all of <, ==, >. What
 *  exceeds an integer becomes its greatest value; C leaves that undefined. @{ */
uint32_t __mspabi_addf(uint32_t a, uint32_t b);
uint32_t __mspabi_subf(uint32_t a, uint32_t b);
uint32_t __mspabi_mpyf(uint32_t a, uint32_t b);
uint32_t __mspabi_divf(uint32_t a, uint32_t b);
int16_t __mspabi_cmpf(uint32_t a, uint32_t b);
int16_t __unordsf2(uint32_t a, uint32_t b);
int16_t __unorddf2(uint64_t a, uint64_t b);

int32_t __mspabi_fixfli(uint32_t a);
int64_t __mspabi_fixflli(uint32_t a);
uint32_t __mspabi_fixful(uint32_t a);
uint64_t __mspabi_fixfull(uint32_t a);
int32_t __mspabi_fixdli(uint64_t a);
int64_t __mspabi_fixdlli(uint64_t a);
uint32_t __mspabi_fixdul(uint64_t a);
uint64_t __mspabi_fixdull(uint64_t a);

uint32_t __mspabi_fltlif(int32_t a);
uint32_t __mspabi_fltllif(int64_t a);
uint32_t __mspabi_fltulf(uint32_t a);
uint32_t __mspabi_fltullf(uint64_t a);
uint64_t __mspabi_fltlid(int32_t a);
uint64_t __mspabi_fltllid(int64_t a);
uint64_t __mspabi_fltuld(uint32_t a);
uint64_t __mspabi_fltulld(uint64_t a);

uint64_t __mspabi_cvtfd(uint32_t a);
uint32_t __mspabi_cvtdf(uint64_t a);

/** What __mspabi_addd, subd, mpyd, divd and cmpd call, whose registers C cannot name. */
uint64_t runtime_add_f64(uint64_t a, uint64_t b);
uint64_t runtime_subtract_f64(uint64_t a, uint64_t b);
uint64_t runtime_multiply_f64(uint64_t a, uint64_t b);
uint64_t runtime_divide_f64(uint64_t a, uint64_t b);
int16_t runtime_compare_f64(uint64_t a, uint64_t b);
/** @} */

/* Shifts by 0..31; only the low 5 bits of `n` count. */
uint32_t __mspabi_slll(uint32_t a, uint16_t n);
uint32_t __mspabi_srll(uint32_t a, uint16_t n);
int32_t __mspabi_sral(int32_t a, uint16_t n);

#endif
