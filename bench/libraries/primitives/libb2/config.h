/* SPDX-License-Identifier: BSD-3-Clause */
/* What libb2's configure would find out. */
#ifndef LIBRARY_LIBB2_CONFIG_H
#define LIBRARY_LIBB2_CONFIG_H
#define NATIVE_LITTLE_ENDIAN 1
#endif
