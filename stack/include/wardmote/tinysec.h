/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tinysec.h
 *  TinySec (C. Karlof, N. Sastry, D. Wagner, "TinySec: A Link Layer Security Architecture for
 *  Wireless Sensor Networks", SenSys 2004): packets of TinyOS 1.x that are authenticated, or
 *  authenticated and encrypted, under a block cipher with blocks of 8 octets.
 *
 *      Auth   dst 2 | type 1 | length 1 |          data 0..29            | tag 4
 *      AE     dst 2 | type 1 | length 1 | iv 4 | ciphertext max(8, data) | tag 4
 *      plain  dst 2 | type 1 | length 1 | group 1 | data 0..29           | CRC 2
 *      standard  the same, but group before length: the packet of a TinyOS without TinySec
 *
 *  Numbers have their least significant octet first. Bits 7 and 6 of `length` tell the three apart:
 *  10 Auth, 11 AE, 0x plain. A standard packet has its group in that place, so a receiver must be told
 *  to expect it.
 *
 *  It is here for networks that have it, and to measure what it costs. A tag of 4 octets is guessed
 *  by one forgery of 2^32, a packet that is sent again is accepted again (unless `replay` is set,
 *  and then for AE alone, for Auth has no counter), and who sent an Auth packet is not in it. So a
 *  node accepts its own Auth broadcast that somebody sends back; its own AE packets it refuses. For
 *  a new network take link_security.h.
 *
 *  Encryption is CBC with ciphertext stealing (CBC-CS3) from an IV that is encrypted before. The tag
 *  is the beginning of a CBC-MAC over all that stands before it, under a key of its own. Four zeros
 *  stand for the IV of an Auth packet. The first block of the CBC-MAC is the length.
 *
 *  Where the paper says less than an implementation needs, the profiles say what is done. */
#ifndef WARDMOTE_TINYSEC_H
#define WARDMOTE_TINYSEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/counter.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>

WM_C_BEGIN

#define WM_TINYSEC_DATA_MAX 29
#define WM_TINYSEC_TAG_LEN 4
/** Octets of the longest packet, which is AE. */
#define WM_TINYSEC_PACKET_MAX (4 + 4 + WM_TINYSEC_DATA_MAX + WM_TINYSEC_TAG_LEN)
#define WM_TINYSEC_BROADCAST 0xFFFF
/** `src` of a message whose packet did not tell its sender. */
#define WM_TINYSEC_NOBODY 0xFFFF

/** What the octets of a packet are. Two nodes must agree on it.
 *
 *  | | PAPER | SHIPPED |
 *  | --- | --- | --- |
 *  | iv on the air | src, ctr | ctr, src |
 *  | IV of the cipher | dst, type, length, src, ctr | ctr, src, dst, type, length |
 *  | a block of the CBC-MAC takes | 8 octets | 7 octets |
 *  | a last block that is not full | bit 0 of the next octet is changed | that of the next but one |
 *
 *  Both: the length in the CBC-MAC's first block is that of full blocks of 8 octets, iv included;
 *  `length` is taken with its two bits; a tag is the first 4 octets. SHIPPED is what the code of
 *  TinyOS 1.x does, defects included. */
typedef enum wm_tinysec_profile { WM_TINYSEC_PAPER = 0, WM_TINYSEC_SHIPPED = 1 } wm_tinysec_profile;

/** How a packet is protected. */
typedef enum wm_tinysec_mode {
    WM_TINYSEC_AUTH = 0,    /**< a tag */
    WM_TINYSEC_AE = 1,      /**< encrypted, and a tag */
    WM_TINYSEC_PLAIN = 2,   /**< a CRC, which anybody can make */
    WM_TINYSEC_STANDARD = 3 /**< as PLAIN, group before length */
} wm_tinysec_mode;

/** Which packets are accepted. */
typedef enum wm_tinysec_accept {
    WM_TINYSEC_AUTHENTICATED = 0, /**< Auth and AE */
    WM_TINYSEC_CRC = 1,           /**< plain ones */
    WM_TINYSEC_ANY = 2,           /**< Auth, AE and plain ones */
    WM_TINYSEC_STANDARD_CRC = 3   /**< standard ones: no others can be told from them */
} wm_tinysec_accept;

/** What one pair of keys is for. */
typedef struct wm_tinysec_keys {
    uint16_t peer;               /**< the neighbour that shares them. Not used in groups */
    const wm_cipher *encryption; /**< as in wm_tinysec */
    const wm_cipher *mac;
} wm_tinysec_keys;

/** Who shares a key (the paper, Table 1).
 *
 *  | | the network | wm_tinysec_link | wm_tinysec_group |
 *  | --- | --- | --- | --- |
 *  | keys of a node | 1 | 1 a neighbour | 1 a group |
 *  | who a right tag says made the packet | any node | this neighbour | a member of the group |
 *  | a captured node gives away | all packets | its own links | its groups |
 *  | broadcast | yes | refused: no key is shared by all who hear it | yes |
 *  | MACs to take a packet, c pairs of keys | 1 | AE 1, Auth at most c | at most c |
 *  | a forged tag is right once in | 2^32 | AE 2^32, Auth 2^32 / c | 2^32 / c | */
typedef struct wm_tinysec_keying wm_tinysec_keying;
extern const wm_tinysec_keying wm_tinysec_link, wm_tinysec_group;

/** Keys of a node that does not use the network's. Static memory of the caller, who may change
 *  `sends` between packets, and nothing else: for all else call wm_tinysec_change_keyring.
 *
 *  Nothing in a packet says which keys it has, but for the source of AE under wm_tinysec_link. Other packets
 *  are tried with all pairs in the order of the table, until a tag is right: put those that are
 *  heard most often first. The first pair is tried while octets arrive, each further one costs a
 *  whole MAC behind the last octet, and a packet of a stranger costs all. Where there is more than
 *  one pair to try, decryption too begins behind the last octet. */
typedef struct wm_tinysec_keyring {
    const wm_tinysec_keys *keys;
    const wm_tinysec_keying *keying;
    uint8_t count; /**< of pairs, 1..254. Links: each peer stands there once */
    uint8_t sends; /**< groups: with which pair packets are made. 0: the first */
} wm_tinysec_keyring;

/** A sender of AE packets, 4 octets: 25 of them take 100. When all entries are in use, AE packets
 *  of other senders are refused: if the table forgot a sender, its old packets could be replayed.
 *  Put senders that must be heard into the table, with `next` 0, before the first packet comes. */
typedef struct wm_tinysec_sender {
    uint16_t src;
    /** least counter that is accepted. 65 535 never is: nothing could be told from it afterwards */
    uint16_t next;
} wm_tinysec_sender;

/** The senders heard so far. Static memory of the caller. */
typedef struct wm_tinysec_replay {
    wm_tinysec_sender *senders;
    uint8_t capacity; /**< of senders */
    uint8_t heard;    /**< in use; 0 at first */
} wm_tinysec_replay;

/** One node's TinySec. Set it to zeros, set the members you need, then call wm_tinysec_start. */
typedef struct wm_tinysec {
    /** keys of a cipher with blocks of 8 octets, `&key.cipher`, two that have nothing in common: equal
     *  ones are refused. The key for encryption is made for both directions where AE is received. It may be NULL where AE is
     *  neither sent nor accepted */
    const wm_cipher *encryption;
    const wm_cipher *mac;
    /** NULL: `encryption` and `mac` are for all packets, the network's. Else those two are not used */
    const wm_tinysec_keyring *keyring;
    /** where the counter of the IV survives a reset: needed to send AE */
    wm_counter *store;
    wm_tinysec_replay *replay; /**< NULL: a packet that is sent again is accepted again */
    /** whether packets of this type are of use: others are refused by their header. NULL: all are */
    bool (*wants)(void *context, uint8_t type);
    void *context;
    uint16_t address;
    uint8_t group; /**< of plain packets: others are refused */
    wm_tinysec_profile profile;
    wm_tinysec_mode send;
    wm_tinysec_accept accept;
    /** After 65 536 AE packets IVs come again under the same key, as they do in the shipped code.
     *  False: sending AE is refused then, until the keys are new. */
    bool reuse_ivs_when_used_up;
    uint16_t refused;  /**< packets whose tag was wrong, up to 65 535, since wm_tinysec_alarm */
    uint32_t counter;  /**< its own: of the next IV that no packet has been prepared for */
    bool prepared;     /**< its own: the IV of the next packet is taken out of the store */
    uint8_t keys_made; /**< its own: how often the keys have changed */
} wm_tinysec;

/** What a packet carries. */
typedef struct wm_tinysec_message {
    uint16_t dst; /**< WM_TINYSEC_BROADCAST: everybody */
    /** received in AE, or under the key of a link; else WM_TINYSEC_NOBODY. Not used in sending */
    uint16_t src;
    uint8_t type;         /**< of active message */
    uint8_t len;          /**< of data */
    wm_tinysec_mode mode; /**< received so. Not used in sending */
    /** behind `len` octets up to the eighth: filling of a shorter AE message, at best random */
    uint8_t data[WM_TINYSEC_DATA_MAX];
} wm_tinysec_message;

/** Takes the counter of the IV out of the store. Call it after the store was opened, and before
 *  anything is sent.
 *  @retval WM_ERR_PARAM  a key is missing that sending or accepting needs, or is of a cipher whose
 *                        blocks are not of 8 octets, or encrypts alone and AE is accepted; or a
 *                        keyring is empty, has no keying, sends with a pair it has not, or has a
 *                        peer twice or one that is WM_TINYSEC_BROADCAST; or the keys for encryption
 *                        and for the tag are equal
 *  @retval WM_ERR_STATE  a key was not made
 *  @retval WM_ERR_ENGINE  the cipher failed
 *  @retval WM_ERR_NO_STORE  AE is to be sent without a store, or the store is zeros */
WM_NODISCARD wm_status wm_tinysec_start(wm_tinysec *node);

/** Other keys of the network, both never used before: the counter begins at 0 again, and so do those
 *  of the senders, who stay in the table of `replay`. A packet that is on its way in is refused. A
 *  keyring is not used any more.
 *
 *  Both are other objects than those in use, which hold until this returns. Store the new keys first,
 *  where they outlive a reset. If power fails in here, the counter may begin at 0, and under the old
 *  keys IVs would come again.
 *  @retval WM_ERR_STORAGE  the store failed; the old keys hold
 *  @retval WM_ERR_PARAM    as wm_tinysec_start; or the node has one of the keys now, for the same use:
 *                          IVs would come again, or old packets be taken again; the old keys hold
 *  Otherwise as wm_tinysec_start; the old keys hold. */
WM_NODISCARD wm_status wm_tinysec_change_keys(wm_tinysec *node, const wm_cipher *encryption,
                                              const wm_cipher *mac);

/** The same for a keyring: no key in it was ever used before, for all have one counter. It takes
 *  the place of the network's keys, or of another keyring: one with a further neighbour has new keys
 *  for all. */
WM_NODISCARD wm_status wm_tinysec_change_keyring(wm_tinysec *node,
                                                 const wm_tinysec_keyring *keyring);

/** Says whether somebody guesses tags: call it at a regular interval, so that `most` is a rate. It
 *  begins to count anew.
 *  @param message  on true its data are what to tell the base: the node's address, and how many
 *                  packets had a wrong tag (2 octets each, least significant first). The caller
 *                  sets `dst` and `type`, and sends it in AUTH or AE. On false it is as it was
 *  @returns whether more than `most` packets had a wrong tag since the last call */
bool wm_tinysec_alarm(wm_tinysec *node, uint16_t most, wm_tinysec_message *message);

/** Takes the IV of the next packet out of the store, which may write to its medium. The next
 *  wm_tinysec_secure then does not: call this before the channel is asked for. A packet that is
 *  never made costs its IV. Without this call wm_tinysec_secure does it by itself.
 *  @retval WM_ERR_COUNTER, WM_ERR_NO_STORE, WM_ERR_STATE, WM_ERR_STORAGE  as wm_tinysec_secure */
WM_NODISCARD wm_status wm_tinysec_prepare(wm_tinysec *node);

/** Makes a packet as `node->send` says.
 *  @param size  octets at `packet`; the packet's length is needed, at most WM_TINYSEC_PACKET_MAX
 *  @param len   octets of the packet when secured
 *  @retval WM_NOT_SECURED         the packet is plain, as `send` has it
 *  @retval WM_ERR_PARAM           more than 29 octets of data; nothing was written
 *  @retval WM_ERR_FRAME_TOO_LONG  no room; nothing was written
 *  @retval WM_ERR_UNAVAILABLE_KEY the keyring has no keys for this `dst`; nothing was written
 *  @retval WM_ERR_COUNTER         no IV is left under this key; nothing was written
 *  @retval WM_ERR_STATE           wm_tinysec_start was not called, or the keys are not made;
 *                                 nothing was written
 *  @retval WM_ERR_STORAGE         the store failed; nothing was written
 *  @retval WM_ERR_ENGINE          the cipher failed: the packet is zero */
WM_NODISCARD wm_status wm_tinysec_secure(wm_tinysec *node, const wm_tinysec_message *message,
                                         uint8_t *packet, size_t size, uint8_t *len);

/** State of the CBC-MAC of one packet. */
typedef struct wm_tinysec_mac {
    const wm_cipher *cipher;
    wm_block128 chain;
    uint8_t at;      /**< octets of the block that are there */
    uint8_t block;   /**< octets that a block takes */
    uint8_t padding; /**< where behind the last octet the padding stands */
} wm_tinysec_mac;

/** A packet on its way in. Tag and plaintext are computed while octets arrive: when the last one is
 *  there, all that is left is the last block. */
typedef struct wm_tinysec_receiver {
    const wm_tinysec *node;
    wm_tinysec_mac mac;
    const wm_cipher *encryption; /**< NULL: not known before the tag is right */
    wm_status status;
    wm_tinysec_mode mode;
    uint8_t keys_made;
    uint8_t pair;         /**< which of the keyring is tried */
    uint8_t have, wanted; /**< octets of the packet */
    uint8_t tag_at;       /**< where the tag, or the CRC, begins */
    uint8_t read;         /**< octets that are in the tag or in the CRC */
    uint8_t opened;       /**< octets that are not ciphertext any more */
    wm_block128 chain;
    uint8_t packet[WM_TINYSEC_PACKET_MAX];
} wm_tinysec_receiver;

/** Begins to receive a packet.
 *  @returns how many octets it takes before it asks for more */
uint8_t wm_tinysec_receive(wm_tinysec_receiver *receiver, const wm_tinysec *node);

/** Takes the next octets of the packet, in pieces of any length; more than were asked for are left
 *  alone.
 *  @returns how many octets it takes before it asks again. 0: the packet is whole, or its header
 *           says that it is not for us: the radio may sleep. wm_tinysec_accept_packet tells which */
uint8_t wm_tinysec_take(wm_tinysec_receiver *receiver, const uint8_t *octets, size_t len);

/** Ends a packet: on WM_OK and on WM_NOT_SECURED, `message` is what it carries. On all else
 *  `message` is as it was. The receiver is wiped.
 *  @retval WM_OK                the tag is right: a holder of the key made the packet
 *  @retval WM_NOT_SECURED       a plain packet with a right CRC: anybody may have made it
 *  @retval WM_ERR_SECURITY      the tag is wrong
 *  @retval WM_ERR_FCS           the CRC is wrong
 *  @retval WM_ERR_MALFORMED     the length is over 29, or octets are missing
 *  @retval WM_ERR_NOT_FOR_US    another address or group, or a type that is not wanted
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  `accept` does not want such a packet
 *  @retval WM_ERR_UNAVAILABLE_KEY  the keyring has no keys for such a packet: a broadcast to
 *                               links, or AE of no neighbour
 *  @retval WM_ERR_COUNTER       `replay` has heard this counter of its sender already, or the packet
 *                               is AE from our own address: somebody sends it back
 *  @retval WM_ERR_UNAVAILABLE_DEVICE  the table of senders is full
 *  @retval WM_ERR_STATE         a key was not made or has changed since, or the receiver was not
 *                               begun
 *  @retval WM_ERR_ENGINE        the cipher failed */
WM_NODISCARD wm_status wm_tinysec_accept_packet(wm_tinysec *node, wm_tinysec_receiver *receiver,
                                                wm_tinysec_message *message);

WM_C_END

#endif
