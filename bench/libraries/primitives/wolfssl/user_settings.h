/* SPDX-License-Identifier: BSD-3-Clause */
/* The least part of wolfCrypt, in C alone: no files, no threads, no assembly. Compiler options
 * select further parts. */
#ifndef LIBRARY_WOLFSSL_USER_SETTINGS_H
#define LIBRARY_WOLFSSL_USER_SETTINGS_H

#include <stdlib.h>
#include <string.h>

#define WOLFCRYPT_ONLY
#define NO_FILESYSTEM
#define NO_WRITEV
#define NO_MAIN_DRIVER
#define NO_DEV_RANDOM
#define NO_ERROR_STRINGS
#define NO_ASN
#define NO_RSA
#define NO_DH
#define NO_DSA
#define NO_DES3
#define NO_MD4
#define NO_MD5
#define NO_RC4
#define NO_PWDBASED
#define NO_BIG_INT
#define WC_NO_RNG
#define WC_NO_ASYNC_THREADING
#define WOLFSSL_NO_ASM
#define WOLFSSL_NO_SOCK
#define WOLFSSL_USER_IO
#define SINGLE_THREADED
#define HAVE_STRINGS_H 0
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#if __SIZEOF_INT__ == 2
#define WC_16BIT_CPU
#endif
#define LITTLE_ENDIAN_ORDER
#define NO_WOLFSSL_MEMORY
#define CTYPE_USER
#define XTOLOWER(c) (c)
#define STRING_USER
#define XSTRLEN(text) strlen(text)
#define XMEMCPY(to, from, octets) memcpy(to, from, octets)
#define XMEMMOVE(to, from, octets) memmove(to, from, octets)
#define XMEMSET(to, value, octets) memset(to, value, octets)
#define XMEMCMP(one, other, octets) memcmp(one, other, octets)
#define XMALLOC_OVERRIDE
#define XMALLOC(octets, heap, type) malloc(octets)
#define XFREE(octets, heap, type) free(octets)
#define XREALLOC(octets, more, heap, type) NULL
#define NO_AES_192
#define NO_AES_256
#define NO_AES_DECRYPT
#define NO_AES_CBC
#define WOLFSSL_EXPERIMENTAL_SETTINGS
#define WC_NO_HARDEN
#define WOLFSSL_NO_FENCE

#endif
