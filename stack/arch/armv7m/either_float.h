/* SPDX-License-Identifier: BSD-3-Clause */
/* Build attribute Tag_ABI_VFP_args = 3: compatible with both the base and the VFP variant of the
 * procedure call standard (Arm, "Addenda to, and errata in, the ABI for the Arm architecture").
 * Without it a linker refuses soft-float objects in a hard-float program. For the assembler, not
 * for C: sources that are assembled have no such attribute and fit already. */
#ifndef __ASSEMBLER__
__asm__(".eabi_attribute 28, 3");
#endif
