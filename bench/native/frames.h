/* SPDX-License-Identifier: BSD-3-Clause */
/** @file frames.h
 *  Whole captures through the stack in one call: what `wardmote frame` calls from Python
 *  (bench/wardmote/frame/native.py mirrors every structure here, and compares their sizes when it
 *  loads the library).
 *
 *  Host only. The stack does the work on a frame; this is the loop around it, and the formats of
 *  capture files. The caller gives all memory. */
#ifndef WARDMOTE_FRAMES_H
#define WARDMOTE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Link types, by the LINKTYPE list of tcpdump.org. In these every record is a frame: */
#define FRAMES_LINK_LINUX 191u    /* IEEE802_15_4_LINUX */
#define FRAMES_LINK_WITH_FCS 195u /* IEEE802_15_4_WITHFCS */
#define FRAMES_LINK_PHY 215u      /* IEEE802_15_4_NONASK_PHY: preamble, SFD, length before it */
#define FRAMES_LINK_NO_FCS 230u   /* IEEE802_15_4_NOFCS */
/* IEEE802_15_4_TAP: a header of TLVs, FCS type and ASN among them */
#define FRAMES_LINK_TAP 283u
/* In these some are: as ZEP over UDP, or as Linux hands frames to a cooked capture. */
#define FRAMES_LINK_NULL 0u
#define FRAMES_LINK_ETHERNET 1u
#define FRAMES_LINK_RAW 101u
#define FRAMES_LINK_LOOP 108u
#define FRAMES_LINK_SLL 113u
#define FRAMES_LINK_IPV4 228u
#define FRAMES_LINK_IPV6 229u
#define FRAMES_LINK_SLL2 276u

#define FRAMES_STATUSES 64u /* counters of frames_totals, by the negated wm_status modulo this */
#define FRAMES_REASONS 64u  /* counters of frames_totals, by frames_reason */
#define FRAMES_KEYS 64u
#define FRAMES_DEVICES 4096u /* of the table, and learned */
#define FRAMES_SENDERS 6144u /* whose last ASN is remembered, with the key */
/* most octets by which a record may grow: its header 16, ASH 14, MIC 16 */
#define FRAMES_ROOM 46u

/** How a capture file could be read. */
typedef enum frames_reading {
    FRAMES_READ = 0,
    FRAMES_NO_CAPTURE = 1, /**< neither pcap nor pcapng */
    /** the file ends within its last record: `frames` are whole, the rest begins at `end` */
    FRAMES_CUT = 2,
    FRAMES_BROKEN = 3,      /**< lengths that contradict each other, at `end` */
    FRAMES_MIXED_LINKS = 4, /**< interfaces of different link types, which one pcap cannot hold */
    FRAMES_MANY_LINKS = 5   /**< more interfaces than are kept */
} frames_reading;

/** What stands behind a frame. The first three numbers are those of TAP. */
enum {
    FRAMES_FCS_NONE = 0,
    FRAMES_FCS_16 = 1,
    FRAMES_FCS_32 = 2,
    /** two octets of the radio's chip in its place, bit 7 of the second: the FCS was right */
    FRAMES_FCS_CHIP = 3,
    FRAMES_FCS_UNSAID = 255
};

/** What a capture file holds. */
typedef struct frames_capture {
    uint64_t frames;
    uint64_t end; /**< of the last whole record */
    uint32_t link_type;
    uint8_t nanoseconds; /**< times finer than microseconds */
    uint8_t pcapng;
    uint8_t fcs_len; /**< octets of FCS that the file says; FRAMES_FCS_UNSAID */
    uint8_t spare;
} frames_capture;

/** One frame of a capture: what the link type puts before it, and the PSDU. */
typedef struct frames_record {
    uint64_t at; /**< offset in the file */
    uint64_t time_ns;
    uint32_t captured; /**< octets in the file */
    uint32_t original; /**< octets on the air; more where the capture cut them off */
} frames_record;

/** Why a frame was refused, beside its status; each has a sentence in
 *  bench/wardmote/frame/words.py. */
typedef enum frames_reason {
    FRAMES_NO_REASON = 0, /**< the status says all */
    FRAMES_NOT_WHOLE = 1, /**< the capture holds a part of it */
    FRAMES_TAP = 2,       /**< the TAP header contradicts itself */
    FRAMES_FCS_KIND = 3,  /**< an FCS of an unknown kind */
    FRAMES_TOO_LONG = 4,  /**< a longer PSDU than the job allows */
    FRAMES_BAD_FCS = 5,
    FRAMES_NO_ASN = 6,    /**< the nonce needs an ASN, and nothing gives one */
    FRAMES_SHORT_FCF = 7, /**< no room for the frame control field, at `where` */
    FRAMES_RESERVED_TYPE = 8,
    FRAMES_OTHER_TYPE = 9, /**< multipurpose, fragment, extended */
    FRAMES_RESERVED_VERSION = 10,
    FRAMES_RESERVED_ADDRESS = 11, /**< addressing mode 1 */
    FRAMES_UNDEFINED_BIT = 12,    /**< IE Present or Sequence Number Suppression before version 2 */
    FRAMES_COMPRESSION = 13,      /**< PAN ID Compression without both addresses before version 2 */
    FRAMES_SHORT_ADDRESSING = 14,
    FRAMES_SHORT_ASH = 15,
    FRAMES_ASH_BITS = 16, /**< bits 5 or 6 of Security Control before version 2 */
    FRAMES_INDEX_0 = 17,
    FRAMES_SHORT_MIC = 18,
    FRAMES_HEADER_IE = 19, /**< a header IE ends behind the frame, or a termination has content */
    /** before version 2: fields of a beacon, or the identifier of a command, are missing */
    FRAMES_OPEN_PAYLOAD = 20,
    FRAMES_PAYLOAD = 21, /**< version 2: payload IEs, or the identifier of a command, do not fit */
    FRAMES_ALREADY_SECURED = 22,
    FRAMES_EDITION = 23, /**< a version that the edition does not know */
    /** the nonce needs an extended address that neither frame nor table gives */
    FRAMES_NO_SOURCE = 24,
    FRAMES_FOREIGN = 25,    /**< a packet without a frame: neither refused nor written */
    FRAMES_PHY = 26,        /**< preamble, SFD or length before the frame contradict it */
    FRAMES_ZEP = 27,        /**< the ZEP header contradicts the packet */
    FRAMES_NO_KEY = 28,     /**< no key has the name that the frame gives its key */
    FRAMES_WRONG_KEY = 29,  /**< the MIC fits no key of that name */
    FRAMES_REPLAY = 30,     /**< the MIC fits, but the frame counter has been there */
    FRAMES_REPLAY_ASN = 31, /**< the MIC fits, but the ASN has been there */
    FRAMES_USED_UP = 32     /**< a frame counter of all ones */
} frames_reason;

/** The result of one frame. */
typedef struct frames_result {
    int8_t status;   /**< wm_status */
    uint8_t reason;  /**< frames_reason */
    uint16_t where;  /**< octet of the frame at which a malformed one goes wrong */
    uint8_t secured; /**< Security Enabled was set (unsecure), or is now (secure) */
    uint8_t key;     /**< unsecure: 1 + place of the key that opened it, 0: none */
    /** FRAMES_NO_KEY: what the frame calls its key */
    uint8_t wanted_mode, wanted_index;
} frames_result;

/** How many frames had which result. */
typedef struct frames_totals {
    uint64_t by_status[FRAMES_STATUSES];
    uint64_t by_reason[FRAMES_REASONS]; /**< frames refused */
    uint64_t by_key[FRAMES_KEYS];       /**< frames unsecured under each key of the job */
    uint64_t in_clear; /**< frames that came without security, and policy lets them */
    uint64_t written;
    uint64_t foreign;   /**< packets without a frame */
    uint64_t unwatched; /**< frames with an ASN whose sender found no place: a replay would pass */
} frames_totals;

/** One key and the way in which frames name it. Keys with one name are tried in their order. */
typedef struct frames_key {
    uint8_t octets[16];
    uint8_t key_source[8]; /**< as in wm_key_id_lookup */
    uint16_t pan;          /**< KeyIdMode 0 */
    uint8_t key_id_mode, key_index, addr_mode;
    uint8_t usage; /**< set of frame types */
    uint8_t spare[2];
} frames_key;

/** One device. */
typedef struct frames_device {
    uint8_t ext_addr[8];
    uint32_t counter; /**< least frame counter that is accepted */
    uint16_t pan, short_addr;
    uint8_t exempt;
    uint8_t spare[7];
} frames_device;

/** Ways to find the form of a frame's nonce. */
enum {
    FRAMES_NONCE_COUNTER = 0,
    FRAMES_NONCE_ASN = 1,
    FRAMES_NONCE_AS_SAID = 2 /**< as bits 5 and 6 of the ASH say */
};

/** Where a frame's ASN comes from. */
enum { FRAMES_ASN_TAP = 0, FRAMES_ASN_COUNTED = 1 /**< `asn` + number of the frame, from 0 */ };

/** What to do with every frame. */
typedef struct frames_job {
    const frames_key *keys;
    const frames_device *devices;
    uint64_t asn;
    uint32_t key_count, device_count;
    uint32_t link_type;
    uint32_t out_link_type; /**< of the file written: TAP where link_type is one of packets */
    uint32_t counter;       /**< secure: the first frame's */
    uint8_t default_key_source[8], ext_addr[8], pan_coord_ext[8];
    uint16_t pan, pan_coord_short;
    uint16_t psdu_max; /**< octets of a PSDU, FCS included: 127..2047 */
    uint8_t cipher;    /**< place in the list of frames_cipher_name */
    uint8_t edition;   /**< wm_edition */
    uint8_t nonce_form, asn_source;
    uint8_t allowed[4];                    /**< levels of each frame type, as sets */
    uint8_t minimum[4];                    /**< before 2015, where the set is empty */
    uint8_t strangers;                     /**< unknown senders are accepted */
    uint8_t replays;                       /**< a counter may repeat */
    uint8_t any_fcs;                       /**< a wrong FCS is no reason to refuse */
    uint8_t keep_refused;                  /**< refused frames are written unchanged */
    uint8_t nanoseconds;                   /**< times of the file written */
    uint8_t has_ext_addr;                  /**< ext_addr is known */
    uint8_t level, key_id_mode, key_index; /**< secure */
    uint8_t key_source[8];                 /**< secure; as on air */
    /** kind of FCS where the link type does not say it: NONE, 16, 32, or UNSAID */
    uint8_t fcs;
} frames_job;

/** A frame taken apart: what `wardmote frame show` prints. */
typedef struct frames_shown {
    uint64_t asn;
    uint32_t frame_counter;
    float rss;   /**< dBm */
    uint32_t at; /**< of the frame in its record */
    frames_result result;
    uint16_t dst_pan, src_pan;
    uint16_t len; /**< FCS excluded */
    uint16_t channel;
    uint16_t ash, header_ie, open, private_payload; /**< wm_frame_map */
    uint16_t a_len, m_start, m_len;                 /**< wm_frame_split */
    uint8_t mic_len;
    uint8_t has_rss, has_channel, has_lqi, page, lqi;
    uint8_t type, version;
    uint8_t security_enabled, frame_pending, ack_request, pan_id_compression, seq_suppressed,
        ie_present;
    uint8_t seq, dst_pan_present, src_pan_present, dst_mode, src_mode;
    uint8_t dst[8], src[8]; /**< most significant octet first */
    uint8_t level, key_id_mode, counter_suppressed, asn_in_nonce, key_index;
    uint8_t key_source[8];
    uint8_t has_asn, has_nonce, fcs_len;
    uint8_t nonce[13];
    uint8_t spare[6];
} frames_shown;

/** @return a number that changes with the layout of any structure here */
uint64_t frames_layout(void);

/** Name of a block cipher by its place from 0, fastest first; NULL behind the last one that this
 *  CPU can run. */
const char *frames_cipher_name(uint8_t place);

/** Octets of the state of frames_unsecure and frames_secure, which must be aligned to 16. It holds
 *  keys. */
uint64_t frames_state_octets(void);

/** Overwrites a state. */
void frames_wipe(void *state);

/** Reads the headers of a capture. `records` has room for `room` frames; a sixteenth of the octets
 *  is always enough.
 *  @return frames_reading */
uint8_t frames_index(const uint8_t *file, uint64_t size, frames_capture *capture,
                     frames_record *records, uint64_t room);

/** Begins: fills the state from the job, clears `totals` and writes the header of a pcap file, 24
 *  octets, into `out`.
 *  @return 0, or 1: the job contradicts itself (wm_pib_check) */
uint8_t frames_begin(void *state, const frames_job *job, uint8_t *out, frames_totals *totals);

/** Unsecures the frames from number `first` to below `end`: the incoming frame security procedure,
 *  then removes the ASH, clears Security Enabled and computes the FCS anew. Writes a record of a
 *  pcap file into `out` for each that is not refused. Call it for all frames in order, any
 *  number at a time. `out` has FRAMES_ROOM octets more for each frame than were captured of it.
 *  @return octets written */
uint64_t frames_unsecure(void *state, const frames_job *job, const uint8_t *file,
                         const frames_record *records, uint64_t first, uint64_t end,
                         frames_result *results, uint8_t *out, frames_totals *totals);

/** Secures them, likewise. */
uint64_t frames_secure(void *state, const frames_job *job, const uint8_t *file,
                       const frames_record *records, uint64_t first, uint64_t end,
                       frames_result *results, uint8_t *out, frames_totals *totals);

/** Takes every frame apart, without keys. */
void frames_show(const frames_job *job, const uint8_t *file, const frames_record *records,
                 uint64_t count, frames_shown *shown);

#endif
