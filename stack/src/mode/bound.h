/* SPDX-License-Identifier: BSD-3-Clause */
/* What modes do with a bound cipher. */
#ifndef WM_MODE_BOUND_H
#define WM_MODE_BOUND_H

#include <wardmote/cipher.h>

/** Whether the cipher was made by its own call and not wiped since. */
static inline bool wm_cipher_ready(const wm_cipher *cipher)
{
    return cipher != NULL && cipher->ops != NULL;
}

/** What the cipher's operations take: WM_CIPHER_KEY_CHECK has it there. */
static inline const void *wm_cipher_schedule(const wm_cipher *cipher)
{
    return cipher + 1;
}

/** Whether a block has failed since this was last asked. */
static inline bool wm_cipher_failed(const wm_cipher_ops *ops, const void *schedule)
{
    return ops->failed != NULL && ops->failed(schedule);
}

#endif
