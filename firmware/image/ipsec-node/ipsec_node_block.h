/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ipsec_node_block.h
 *  How image `ipsec-node` is set up and read from outside, without recompiling: a block in flash that
 *  belongs to the node, written before boot by a programmer or by the instrument, and an object in
 *  RAM that says what happened.
 *
 *  Numbers have the CPU's order of octets; addresses, keys and prefixes are octet strings in the
 *  order of the standards. All zero, a block is none. Sequence numbers are kept by a counter store
 *  in the medium of the board's counters_medium.h, which whoever programs the node makes: the image
 *  makes none, and without one it takes no SA and no link security.
 *
 *  Marks of port/tsch_port.h (pins: image/slot/slot_block.h): SLOT is high while the CPU works, SEC1
 *  while it unsecures a packet, SEC2 while it secures one, SEC3 while it unsecures or secures a
 *  frame. */
#ifndef FIRMWARE_IPSEC_NODE_BLOCK_H
#define FIRMWARE_IPSEC_NODE_BLOCK_H

#include <stdint.h>
#include <wardmote/ipv6_node.h>
#include <wardmote/lowpan.h>

#define IPSEC_NODE_MAGIC 0x6970u /**< "ip" */
#define IPSEC_NODE_SETUP_OCTETS 768u
#define IPSEC_NODE_SAS 4u
#define IPSEC_NODE_POLICIES 4u
#define IPSEC_NODE_ROUTES 6u
#define IPSEC_NODE_CONTEXTS 2u
#define IPSEC_NODE_NEIGHBOURS 3u
#define IPSEC_NODE_DATAGRAM 1280u /**< octets of the longest packet */
#define IPSEC_NODE_TICK_CYCLES 8u /**< cycles of the CPU in a tick of the report's phases */

typedef enum ipsec_node_direction {
    IPSEC_NODE_NONE = 0,
    IPSEC_NODE_IN = 1,
    IPSEC_NODE_OUT = 2
} ipsec_node_direction;

typedef enum ipsec_node_encryption {
    IPSEC_NODE_NO_ENCRYPTION = 0, /**< AH */
    IPSEC_NODE_NULL = 1,
    IPSEC_NODE_CBC = 2,
    IPSEC_NODE_CTR = 3,
    IPSEC_NODE_CCM_8 = 4,
    IPSEC_NODE_CCM_16 = 5,
    IPSEC_NODE_CCM_8_IIV = 6
} ipsec_node_encryption;

typedef enum ipsec_node_integrity {
    IPSEC_NODE_NO_INTEGRITY = 0, /**< a combined mode, or the study's profile */
    IPSEC_NODE_HMAC_SHA1_96 = 1,
    IPSEC_NODE_HMAC_SHA256_128 = 2,
    IPSEC_NODE_XCBC_96 = 3,
    IPSEC_NODE_CMAC_96 = 4
} ipsec_node_integrity;

/** One SA; its slot of the counter store is its place in the table. */
typedef struct ipsec_node_sa {
    uint32_t spi;
    uint8_t direction;  /**< an ipsec_node_direction */
    uint8_t protocol;   /**< 51 AH, 50 ESP */
    uint8_t encryption; /**< an ipsec_node_encryption */
    uint8_t integrity;  /**< an ipsec_node_integrity */
    uint8_t group;
    uint8_t salt[4];
    uint8_t key[16];
    uint8_t integrity_key[32]; /**< HMAC-SHA1 takes 20 octets, XCBC and CMAC 16 */
} ipsec_node_sa;

typedef struct ipsec_node_setup {
    uint16_t magic;
    uint16_t pan, address; /**< of this node */
    uint16_t seed;         /**< of the back-offs; not 0 */
    uint32_t clock_hz;     /**< clock of the CPU */
    uint8_t channel;       /**< 11..26 */
    uint8_t link_level;    /**< 0: frames in clear; 1, 2, 3, 5, 6 or 7: every frame is secured so */
    uint8_t layout;        /**< a wm_lowpan_ipsec_layout */
    uint8_t ah_len;        /**< Payload Length of AH that is left out; 0 means 4 */
    uint8_t elide_checksum; /**< 1: of UDP, where the other side can compute it */
    uint8_t study;          /**< 1: ESP without integrity is allowed */
    uint8_t engine;         /**< 1: AES blocks of IPsec go through the board's engine */
    uint8_t ahead; /**< 1: IPsec works while fragments come in and go out, where the image can */
    uint8_t sas, policies, routes, neighbours; /**< how many there are */
    uint8_t ipv6[16];                          /**< address of this node */
    uint8_t link_key[16];
    /** An extended address is this and the short address */
    uint8_t ext_prefix[6];
    /** Short addresses that secured frames may come from */
    uint16_t neighbour[IPSEC_NODE_NEIGHBOURS];
    /** A client: sends a datagram of `client_octets` octets to this address and port every
     *  `client_ms`; 0 ms: it does not */
    uint16_t client_ms, client_octets, client_port;
    uint8_t client_to[16];
    wm_lowpan_context context[IPSEC_NODE_CONTEXTS];
    wm_ipv6_route route[IPSEC_NODE_ROUTES];
    wm_ipsec_policy policy[IPSEC_NODE_POLICIES];
    ipsec_node_sa sa[IPSEC_NODE_SAS];
    uint32_t baud; /**< of the serial line of image `ipsec-border` */
} ipsec_node_setup;

/** The block. `ipsec_node_setup_block` has room for IPSEC_NODE_SETUP_OCTETS. */
extern const ipsec_node_setup ipsec_node_setup_block;

typedef enum ipsec_node_state {
    IPSEC_NODE_BOOTING = 0,
    IPSEC_NODE_RUNNING = 1,
    IPSEC_NODE_STOPPED = 2 /**< `why` says at which step, `status` what it answered */
} ipsec_node_state;

typedef enum ipsec_node_step {
    IPSEC_NODE_AT_BLOCK = 1,
    IPSEC_NODE_AT_CLOCK = 2,
    IPSEC_NODE_AT_STORE = 3,
    IPSEC_NODE_AT_SAS = 4,
    IPSEC_NODE_AT_RADIO = 5,
    IPSEC_NODE_AT_LINE = 6 /**< of image `ipsec-border`: a baud rate that cannot be */
} ipsec_node_step;

/** What the CPU does with a packet: places of `ticks`. */
typedef enum ipsec_node_phase {
    IPSEC_NODE_RECEIVE = 0,    /**< reads frames out of the radio and looks at their headers */
    IPSEC_NODE_FRAME_OPEN = 1, /**< link security of frames that came */
    IPSEC_NODE_EXPAND = 2,     /**< 6LoWPAN: headers, reassembly */
    IPSEC_NODE_UNSECURE = 3,   /**< IPsec */
    IPSEC_NODE_ANSWER = 4,     /**< IPv6, ICMPv6, UDP, routes */
    IPSEC_NODE_SECURE = 5,     /**< IPsec */
    IPSEC_NODE_COMPRESS = 6,   /**< 6LoWPAN: headers, fragments */
    IPSEC_NODE_FRAME_SEAL = 7, /**< link security of frames that go */
    IPSEC_NODE_SEND = 8,       /**< writes frames into the radio */
    IPSEC_NODE_PHASES = 9
} ipsec_node_phase;

/** What happened since boot. */
typedef struct ipsec_node_report {
    volatile uint8_t state;            /**< an ipsec_node_state */
    uint8_t why;                       /**< an ipsec_node_step */
    int8_t status;                     /**< the wm_status behind it */
    uint32_t ticks[IPSEC_NODE_PHASES]; /**< of IPSEC_NODE_TICK_CYCLES cycles */
    uint32_t frames_in;                /**< for this node, with a right FCS, acks excluded */
    uint32_t frames_out;               /**< handed to the radio, retries excluded */
    uint32_t retries;                  /**< frames sent again */
    uint32_t unsent;                   /**< frames given up: no ack, or no clear channel */
    uint16_t damaged;                  /**< wrong FCS, or no length of a frame */
    uint16_t overflows;                /**< of the radio's buffer */
    uint16_t repeated;                 /**< frames that came twice */
    uint16_t frames_refused;           /**< by link security, or no frame of data */
    uint16_t lowpan_refused;           /**< by expansion or reassembly */
    uint16_t packets_refused;          /**< by IPv6, UDP or ICMPv6 */
    uint16_t ipsec_refused;            /**< packets that wm_ipsec_unsecure refused */
    int16_t ipsec_last;                /**< the last wm_status of wm_ipsec_unsecure */
    uint16_t busy;                     /**< packets lost because no buffer was free */
    uint32_t packets_in;               /**< whole, for this node */
    uint32_t forwarded;                /**< whole, for others */
    uint32_t packets_out;              /**< whole, sent or given up */
    uint32_t answers;                  /**< of the client's datagrams, with the right octets */
    uint32_t answers_wrong;            /**< with others */
    uint32_t asked;                    /**< datagrams that the client sent */
} ipsec_node_report;
extern ipsec_node_report ipsec_node_report_block;

/** What happened on the serial line of image `ipsec-border` since boot; `ipsec_node_report` says what
 *  happened on the air. */
typedef struct ipsec_border_report {
    uint32_t from_line; /**< frames */
    uint32_t to_line;   /**< frames */
    uint16_t refused; /**< frames from the line that are no frames of data in clear, or too long */
    uint16_t full_to_air;  /**< frames lost because others wait for the air */
    uint16_t full_to_line; /**< frames lost because others wait for the line */
    uint16_t overruns;     /**< octets from the line that were lost */
} ipsec_border_report;
extern ipsec_border_report ipsec_border_report_block;

#endif
