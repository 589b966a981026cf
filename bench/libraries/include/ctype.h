/* SPDX-License-Identifier: BSD-3-Clause */
/* A header of libtomcrypt includes this one; nothing of it is used. */
