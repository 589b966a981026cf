/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ipsec.h
 *  IPsec in transport mode for IPv6 (RFC 4301, with AH of RFC 4302 and ESP of RFC 4303), as a node of
 *  few kilobytes needs it (RFC 9333): security associations (SAs) with keys set by hand or by
 *  somebody else's key exchange, sequence numbers of 32 bits, a window of 64, one sender and one
 *  receiver a SA, no tunnels.
 *
 *  Packets are whole IPv6 packets in one buffer, from the version on, uncompressed and reassembled.
 *  They are secured and unsecured in place. SAs and policies lie in tables of the caller.
 *
 *      static wm_ipsec_sa in[1] = {{.protocol = &wm_ipsec_esp, .encryption = &wm_ipsec_aes_ccm_8,
 *                                   .cipher = &key_in.cipher, .salt = {...}, .spi = 0x1e8,
 *                                   .group = 1, .counter = &counter_in.counter}};
 *      static wm_ipsec_sa out[1] = {{... .cipher = &key_out.cipher, .counter = ...}};
 *      static const wm_ipsec_policy policies[] = {{.remote = {0xfd, ...}, .prefix = 128,
 *                                                  .action = WM_IPSEC_PROTECT, .esp = 1}};
 *
 *  What is not named is not linked: an image with AH alone carries no ESP, and no cipher that it
 *  does not name. All zero, a wm_ipsec, a policy and a SA allow nothing: what no policy names is
 *  discarded, in both directions. A bad packet is never answered.
 *
 *  No branch and no address of IPsec depends on a key or on what is encrypted, up to the moment when
 *  the ICV is right; afterwards on padding length, next header and ports. The headers of cipher and
 *  code say what they do. */
#ifndef WARDMOTE_IPSEC_H
#define WARDMOTE_IPSEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wardmote/cipher.h>
#include <wardmote/cmac.h>
#include <wardmote/counter.h>
#include <wardmote/linkage.h>
#include <wardmote/status.h>
#include <wardmote/xcbc_mac.h>

WM_C_BEGIN

#define WM_IPSEC_ICV_MAX 16
/** Most SAs a node can have. */
#define WM_IPSEC_SAS_MAX 128

/** Where a code takes octets. */
typedef void (*wm_ipsec_take)(void *mac, const uint8_t *octets, size_t len);

/** What an ICV is made over: `give` passes it to `take`. Of IPsec's own. */
typedef struct wm_ipsec_text {
    void (*give)(const struct wm_ipsec_text *text, wm_ipsec_take take, void *mac);
    const uint8_t *packet;
    uint16_t at;  /**< of AH or ESP in the packet */
    uint16_t icv; /**< of the ICV */
    uint16_t end; /**< of the packet */
} wm_ipsec_text;

/** The key of an integrity algorithm. It must outlive the SA. */
typedef union wm_ipsec_integrity_key {
    const wm_xcbc_mac_key *xcbc;
    const wm_cmac_key *cmac;
    const uint8_t *octets;        /**< HMAC: 20 octets with SHA-1, 32 with SHA-256 */
    struct wm_ipsec_ahead *ahead; /**< of ipsec_ahead.h's own */
} wm_ipsec_integrity_key;

/** An integrity algorithm. A constant of the stack, below. */
typedef struct wm_ipsec_integrity {
    uint8_t icv_octets;
    /** Whether the key was made and not wiped since. It cannot tell of HMAC's octets */
    bool (*ready)(wm_ipsec_integrity_key key);
    /** Makes the ICV: WM_OK, WM_ERR_STATE without a key, or WM_ERR_ENGINE. */
    wm_status (*make)(wm_ipsec_integrity_key key, const wm_ipsec_text *text, uint8_t *icv);
} wm_ipsec_integrity;

extern const wm_ipsec_integrity wm_ipsec_hmac_sha1_96;    /**< RFC 2404 */
extern const wm_ipsec_integrity wm_ipsec_hmac_sha256_128; /**< RFC 4868 */
extern const wm_ipsec_integrity wm_ipsec_aes_xcbc_96;     /**< RFC 3566 */
extern const wm_ipsec_integrity wm_ipsec_aes_cmac_96;     /**< RFC 4494 */

struct wm_ipsec_sa;

/** An encryption algorithm of ESP. A constant of the stack, below. */
typedef struct wm_ipsec_encryption {
    uint8_t iv_octets;     /**< in the packet */
    uint8_t block_octets;  /**< what is encrypted is a multiple of this: 4, 8 or 16 */
    uint8_t icv_octets;    /**< of a combined mode; 0: integrity is another algorithm's */
    uint8_t cipher_octets; /**< block length of the cipher that it needs; 0: none */
    bool decrypts;         /**< needs a key for both directions to receive */
    /** Writes the IV behind the 8 octets of ESP's header, encrypts `octets` behind the IV, and writes the
     *  ICV of a combined mode behind them. */
    wm_status (*seal)(const struct wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets);
    /** The reverse. WM_ERR_SECURITY: the ICV of a combined mode is wrong, and the octets are
     *  zero. */
    wm_status (*open)(const struct wm_ipsec_sa *sa, uint8_t *esp, uint16_t octets);
} wm_ipsec_encryption;

extern const wm_ipsec_encryption wm_ipsec_null;    /**< RFC 2410 */
extern const wm_ipsec_encryption wm_ipsec_aes_cbc; /**< RFC 3602: an IV of 16 octets */
extern const wm_ipsec_encryption wm_ipsec_aes_ctr; /**< RFC 3686: an IV of 8 octets */
/** CCM with an IV of 8 octets (RFC 4309) and an ICV of 8 or 16, and with an ICV of 8 and no IV in the
 *  packet (RFC 8750). */
extern const wm_ipsec_encryption wm_ipsec_aes_ccm_8, wm_ipsec_aes_ccm_16, wm_ipsec_aes_ccm_8_iiv;

/** What AH or ESP of a SA puts around a payload, in octets. Of IPsec's own. */
typedef struct wm_ipsec_shape {
    uint8_t front; /**< in front of the payload */
    uint8_t mask;  /**< block length of ESP - 1; 0: AH */
    uint8_t pad;   /**< of padding behind the payload (RFC 4303 §2.4) */
    uint8_t tail;  /**< of the ICV, where it is behind the payload */
    uint8_t icv;   /**< of the ICV; 0: there is none */
    uint8_t all;   /**< around the payload */
} wm_ipsec_shape;

/** AH or ESP. A constant of the stack, below; its members are its own. `header` is its first octet
 *  in a packet. */
typedef struct wm_ipsec_protocol {
    uint8_t number; /**< of the protocol: 51 or 50 */
    /** Completes what is in its place but for SPI, sequence number and ICV, and encrypts. */
    wm_status (*seal)(const struct wm_ipsec_sa *sa, const wm_ipsec_shape *shape, uint8_t *header,
                      uint16_t payload, uint8_t next);
    /** Finds out how many of the octets in front of the ICV, or of all with AH, are payload, and what
     *  that is. */
    wm_status (*trim)(const wm_ipsec_shape *shape, const uint8_t *header, uint16_t *octets,
                      uint8_t *next);
    void (*give)(const wm_ipsec_text *text, wm_ipsec_take take, void *mac);
} wm_ipsec_protocol;

extern const wm_ipsec_protocol wm_ipsec_ah;  /**< RFC 4302 */
extern const wm_ipsec_protocol wm_ipsec_esp; /**< RFC 4303 */

/** One SA, in static memory of the caller: it sets what is above the line, and nothing else is
 *  its own to change. For other keys call wm_ipsec_change_keys. */
typedef struct wm_ipsec_sa {
    const wm_ipsec_protocol *protocol; /**< NULL: there is no SA in this place */
    /** AH has integrity alone. ESP has a combined mode alone, or encryption with integrity */
    const wm_ipsec_encryption *encryption;
    const wm_ipsec_integrity *integrity;
    const wm_cipher *cipher; /**< of `encryption`: `&key.cipher`. Received CBC decrypts */
    /** Where two SAs of one protocol have one, also where equal keys lie at different addresses, the
     *  SPIs differ: else what this node sent can be sent back to it, and is accepted. The codes
     *  leave out the salt, and ESP's leave out the addresses */
    wm_ipsec_integrity_key integrity_key; /**< never made of the octets of a key of `cipher` */
    uint32_t spi; /**< not 0. 1 to 255 are IANA's (RFC 4303 §2.1); header compression likes 1 */
    /** CTR: the nonce of RFC 3686. CCM: the first 3 are the salt of RFC 4309. CBC: makes the IV.
     *  Where two SAs have one key, `encryption` is the same and the first 3 differ */
    uint8_t salt[4];
    wm_counter *counter; /**< where sequence numbers survive a reset: no other SA has the same */
    uint8_t group;       /**< by this number, 1 to 255, policies know it */
    /* ------ */
    uint8_t window[8]; /**< received: bit i % 8 of octet i / 8, `sequence` - i has come */
    uint32_t sequence; /**< sent last, or highest received */
} wm_ipsec_sa;

/** What is done with packets that a policy names. */
typedef enum wm_ipsec_action {
    WM_IPSEC_DISCARD = 0,
    WM_IPSEC_BYPASS = 1, /**< in clear, both ways */
    WM_IPSEC_PROTECT = 2 /**< by AH, by ESP, or by AH around ESP */
} wm_ipsec_action;

/** One policy, for both directions. The first in the table that names a packet counts. */
typedef struct wm_ipsec_policy {
    uint8_t remote[16];               /**< address of the other node */
    uint8_t prefix;                   /**< how many bits of it count: 0 to 128. PROTECT: all */
    uint8_t protocol;                 /**< of the upper layer: 6 TCP, 17 UDP, 58 ICMPv6. 0: any */
    uint16_t local_port, remote_port; /**< of TCP and UDP. 0: any */
    uint8_t icmp_first, icmp_last;    /**< types of ICMPv6, from and to. Both 0: any */
    wm_ipsec_action action;
    uint8_t ah, esp; /**< PROTECT: group of the SAs of each. 0: without. Not both 0 */
} wm_ipsec_policy;

/** Which SAs are allowed. */
typedef enum wm_ipsec_profile {
    WM_IPSEC_STANDARD = 0, /**< every SA has an ICV */
    /** Also ESP without integrity: whoever changes a bit of a packet changes that bit of the message,
     *  and a packet that comes twice is accepted twice. To measure what it costs, and for nothing
     *  else (RFC 8221 §4 forbids it) */
    WM_IPSEC_STUDY = 1
} wm_ipsec_profile;

/** One node's IPsec. Set it to zeros, set the members you need, then call wm_ipsec_start. */
typedef struct wm_ipsec {
    wm_ipsec_sa *in, *out;
    const wm_ipsec_policy *policies;
    /** Called when a packet cannot be sent because no SA of a group has a sequence number left. It
     *  may call wm_ipsec_change_keys, for later packets. NULL: nobody is told */
    void (*wants_keys)(void *context, wm_ipsec_sa *sa);
    void *context;
    uint8_t ins, outs, count; /**< of SAs that receive, that send, and of policies */
    wm_ipsec_profile profile;
    bool started; /**< its own */
} wm_ipsec;

/** Checks SAs and policies and takes sequence numbers out of their counters. Call it after the
 *  counters were opened, before any packet, and when a table has changed. With a counter that could
 *  not be opened a SA is as one that has no sequence number left.
 *  @retval WM_ERR_PARAM  a SA has no ICV in WM_IPSEC_STANDARD, or algorithms that do not belong
 *                        together, or a key that its algorithm cannot take, or SPI or group 0; two SAs
 *                        that receive have one SPI; two SAs have one counter; two SAs have one cipher
 *                        key, and the salt too or different encryption; two SAs of one protocol have one integrity key and one SPI; a
 *                        policy protects a prefix, a multicast address, or with nothing. Keys are
 *                        compared by their addresses: it does not see that two are equal
 *  @retval WM_ERR_STATE  a key was not made
 *  @retval WM_ERR_NO_STORE  a SA has no counter. After each, every packet is refused */
WM_NODISCARD wm_status wm_ipsec_start(wm_ipsec *ipsec);

/** Gives `sa`, one of the tables, the protocol, algorithms, keys, SPI and salt of `to`, never used
 *  before; group and counter stay. Its sequence numbers begin at 1 again, also over a reset: where
 *  keys outlive one, store the new ones first, or the old ones would be used with them.
 *  @retval WM_ERR_PARAM    also where the old SA and the new one have one cipher key with one salt, or
 *                          one integrity key and one SPI, by their addresses; the old keys hold
 *  @retval WM_ERR_STORAGE  the counter failed; the old keys hold
 *  Otherwise as wm_ipsec_start; the old keys hold. */
WM_NODISCARD wm_status wm_ipsec_change_keys(wm_ipsec *ipsec, wm_ipsec_sa *sa,
                                            const wm_ipsec_sa *to);

/** Secures a packet that this node sends, in place, as its policy has it. Hop-by-hop options and a
 *  routing header stay in front, everything behind them is protected (RFC 4303 §3.1.1).
 *  @param size  octets there is room for at `packet`
 *  @param len   octets of the packet, before and after
 *  @retval WM_NOT_SECURED         its policy lets it go in clear; it is as it was
 *  @retval WM_ERR_UNAVAILABLE_SECURITY_LEVEL  a policy discards it, or none names it
 *  @retval WM_ERR_UNAVAILABLE_KEY there is no SA of the policy's group
 *  @retval WM_ERR_COUNTER         no sequence number is left: wants_keys was called
 *  @retval WM_ERR_FRAME_TOO_LONG  no room, or more octets than an IPv6 packet has
 *  @retval WM_ERR_MALFORMED       no IPv6 packet, or one with a fragment header, AH, ESP, a routing
 *                                 header that is not at its end, or a packet inside (a tunnel)
 *  @retval WM_ERR_STATE           wm_ipsec_start was not called, or a SA was not there then
 *  @retval WM_ERR_STORAGE         the counter failed. After each error so far the packet is as it
 *                                 was
 *  @retval WM_ERR_ENGINE          a cipher failed: the packet is zero, and `*len` is 0 */
WM_NODISCARD wm_status wm_ipsec_secure(wm_ipsec *ipsec, uint8_t *packet, size_t size,
                                       uint16_t *len);

/** Unsecures a packet that came to one of this node's addresses, in place, and compares it with its
 *  policy. AH and ESP are taken out of it. For each of them: SPI, SA, replay, ICV,
 *  decryption, window, padding; then the policy (RFC 4301 §5.2). Octets behind the packet's length are left
 *  alone.
 *
 *  Under ESP alone the IPv6 header and every header in front of ESP are anybody's, also after WM_OK:
 *  of those only the source is compared, with the policy. Anybody can put in hop-by-hop options,
 *  destination options or a routing header, and they stay in the packet. Where your node acts on
 *  them, use AH too.
 *  @param len  octets at `packet`, before; octets of the packet, after
 *  @retval WM_OK                  the other node of its policy sent it, and it came for the first
 *                                 time
 *  @retval WM_NOT_SECURED         its policy takes it in clear: anybody may have sent it
 *  @retval WM_NOT_AUTHENTICATED   decrypted under WM_IPSEC_STUDY: anybody may have written it
 *  @retval WM_ERR_MALFORMED       as above, or padding or length of AH are wrong
 *  @retval WM_ERR_UNAVAILABLE_KEY no SA has this SPI
 *  @retval WM_ERR_COUNTER         the sequence number came before, or is too old, or 0
 *  @retval WM_ERR_SECURITY        an ICV is wrong
 *  @retval WM_ERR_IMPROPER_SECURITY_LEVEL  its policy wants other SAs, or a SA where it came in clear
 *  @retval WM_ERR_UNAVAILABLE_SECURITY_LEVEL  a policy discards it, or none names it
 *  @retval WM_ERR_NOT_FOR_US      a dummy packet of ESP (RFC 4303 §2.6), to be dropped
 *  @retval WM_ERR_STATE, WM_ERR_STORAGE, WM_ERR_ENGINE  as above.
 *  After each error every octet is zero, and `*len` is 0: send no answer. */
WM_NODISCARD wm_status wm_ipsec_unsecure(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len);

WM_C_END

#endif
