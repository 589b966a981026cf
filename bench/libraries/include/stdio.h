/* SPDX-License-Identifier: BSD-3-Clause */
/* A name that a header of libtomcrypt mentions; nothing is ever written. */
#ifndef LIBRARY_STDIO_H
#define LIBRARY_STDIO_H
typedef struct file FILE;
#endif
