/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cipher.h
 *  The block cipher that every mode takes: an object bound to a key. Each cipher has a type of key
 *  of its own, whose first member is a wm_cipher, and makes it with its own call:
 *
 *      static wm_aes128_two_way key;
 *      wm_aes128_tab_init(&key, octets);
 *      status = wm_ccm_seal(&key.cipher, nonce, ...);
 *
 *  So a key of one cipher cannot be passed with the functions of another, and a key that was not
 *  made is refused: zeros are no key. Make keys static or set them to zeros before their call, and
 *  wipe them with wm_wipe when they are retired; modes answer WM_ERR_STATE to both. A key may be
 *  copied and moved as a whole; it holds no pointer into itself. A copy of its wm_cipher alone has no
 *  schedule behind it: pass the address of the key's own. A key must outlive what was begun with it,
 *  unwiped.
 *
 *  An engine outside of the CPU can fail. Its operations then return and leave any octets, and
 *  `failed` tells. Every call of a mode asks before it returns: when the engine has failed, the
 *  call answers WM_ERR_ENGINE, gives no tag, accepts none, and wipes what it was to en- or
 *  decrypt. */
#ifndef WARDMOTE_CIPHER_H
#define WARDMOTE_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wardmote/block128.h>
#include <wardmote/linkage.h>

WM_C_BEGIN

/** What a cipher, or an engine, gives to modes. A constant. `schedule` is the cipher's own: it lies
 *  behind the wm_cipher of the key. Blocks are taken in place; one shorter than 16 octets leaves
 *  the rest of the union alone. */
typedef struct wm_cipher_ops {
    /** the forward cipher function CIPH_K (SP 800-38A §4.2) */
    void (*encrypt)(const void *schedule, wm_block128 *block);
    /** Encrypts two blocks, which may be one and the same, in less time than twice one; NULL where
     *  there is no such way. */
    void (*encrypt2)(const void *schedule, wm_block128 *first, wm_block128 *second);
    /** Goes along a CBC-MAC: encrypts the chain, then adds the next block of data to it, for each of
     *  one block of 16 octets or more, in less time than by calls of `encrypt`. NULL where there is
     *  no such way. */
    void (*chain)(const void *schedule, wm_block128 *chain, const wm_block128 *data, size_t blocks);
    /** the inverse cipher function; NULL in a key that only encrypts */
    void (*decrypt)(const void *schedule, wm_block128 *block);
    /** Makes the schedule that of another key, of 16 octets; NULL for other lengths of key and
     *  where the key is not the CPU's to change. */
    void (*rekey)(void *schedule, const uint8_t key[16]);
    /** Whether an operation has failed since this was last asked; NULL: none ever fails. */
    bool (*failed)(const void *schedule);
    uint8_t block_octets; /**< b / 8: 8, 12 or 16 */
} wm_cipher_ops;

/** A block cipher bound to its key: the first member of a key, and before its `schedule`. Modes
 *  take its address, `&key.cipher`. */
typedef struct wm_cipher {
    const wm_cipher_ops *ops; /**< NULL: not made, or wiped */
} wm_cipher;

/** Put this behind the type of a key {wm_cipher cipher; ... schedule;}: modes find the schedule
 *  there. */
#define WM_CIPHER_KEY_CHECK(type)                                                                  \
    WM_STATIC_ASSERT(offsetof(type, schedule) == sizeof(wm_cipher), "a schedule begins behind")

WM_C_END

#endif
