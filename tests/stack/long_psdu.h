/* SPDX-License-Identifier: BSD-3-Clause */
/* The longest PSDU that the stack can be built for; read before any header of it. The tests' frames
 * are those of the usual build, so the FCS has two octets here too. A test calls the functions of
 * both builds by one name. */
#define WM_PSDU_MAX 2047
#define WM_FCS_LEN 2
#define WM_PSDU_NAME(name) name
