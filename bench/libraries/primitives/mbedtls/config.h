/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiler options select the parts of mbedTLS that are compiled; no other part is. */
#ifndef LIBRARY_MBEDTLS_CONFIG_H
#define LIBRARY_MBEDTLS_CONFIG_H
#endif
