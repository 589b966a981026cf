/* SPDX-License-Identifier: BSD-3-Clause */
/* The least of mbedTLS that CCM needs. */
#ifndef LIBRARY_MBEDTLS_CONFIG_H
#define LIBRARY_MBEDTLS_CONFIG_H

#define MBEDTLS_AES_C
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_CIPHER_C
#define MBEDTLS_CCM_C

#endif
