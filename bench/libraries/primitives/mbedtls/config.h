/* SPDX-License-Identifier: BSD-3-Clause */
/* What of mbedTLS is compiled, is said by options: nothing else is. */
#ifndef LIBRARY_MBEDTLS_CONFIG_H
#define LIBRARY_MBEDTLS_CONFIG_H
#endif
