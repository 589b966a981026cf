/* SPDX-License-Identifier: BSD-3-Clause */
/** @file version.h
 *  The version of these headers. Makefile and CMakeLists.txt read it here. */
#ifndef WARDMOTE_VERSION_H
#define WARDMOTE_VERSION_H

#define WARDMOTE_VERSION_MAJOR 0
#define WARDMOTE_VERSION_MINOR 1
#define WARDMOTE_VERSION_PATCH 0

/** "major.minor.patch" */
#define WARDMOTE_VERSION "0.1.0"

/** One number that grows with the version, for `#if`: major * 65536 + minor * 256 + patch. */
#define WARDMOTE_VERSION_NUMBER                                                                    \
    (WARDMOTE_VERSION_MAJOR * 65536L + WARDMOTE_VERSION_MINOR * 256L + WARDMOTE_VERSION_PATCH)

#endif
