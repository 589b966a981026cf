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

#define FRAMES_LINK_WITH_FCS 195u /* LINKTYPE_IEEE802_15_4_WITHFCS */
#define FRAMES_LINK_NO_FCS 230u   /* LINKTYPE_IEEE802_15_4_NOFCS */
/* LINKTYPE_IEEE802_15_4_TAP: a header of TLVs, FCS type and ASN among them */
#define FRAMES_LINK_TAP 283u

#define FRAMES_STATUSES 64u /* counters of frames_totals, by the negated wm_status */
#define FRAMES_KEYS 64u
#define FRAMES_DEVICES 4096u /* of the table, and learned */
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

/** What a capture file holds. */
typedef struct frames_capture {
    uint64_t frames;
    uint64_t end; /**< of the last whole record */
    uint32_t link_type;
    uint8_t nanoseconds; /**< times finer than microseconds */
    uint8_t pcapng;
    uint8_t spare[2];
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
    FRAMES_FCS_KIND = 3,  /**< an FCS of 4 octets, or of an unknown kind */
    FRAMES_TOO_LONG = 4,  /**< more than 127 octets with FCS */
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
    FRAMES_NO_SOURCE = 24
} frames_reason;

/** The result of one frame. */
typedef struct frames_result {
    int8_t status;   /**< wm_status */
    uint8_t reason;  /**< frames_reason */
    uint8_t where;   /**< octet of the frame at which a malformed one goes wrong */
    uint8_t secured; /**< Security Enabled was set (unsecure), or is now (secure) */
} frames_result;

/** How many frames had which result. */
typedef struct frames_totals {
    uint64_t by_status[FRAMES_STATUSES];
    uint64_t by_key[FRAMES_KEYS]; /**< frames unsecured under each key of the job */
    uint64_t in_clear;            /**< frames that came without security, and policy lets them */
    uint64_t written;
} frames_totals;

/** One key and the way in which frames name it. */
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
    uint32_t counter; /**< secure: the first frame's */
    uint8_t default_key_source[8], ext_addr[8], pan_coord_ext[8];
    uint16_t pan, pan_coord_short;
    uint8_t cipher;  /**< place in the list of frames_cipher_name */
    uint8_t edition; /**< wm_edition */
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
    uint8_t spare[1];
} frames_job;

/** A frame taken apart: what `wardmote frame show` prints. */
typedef struct frames_shown {
    uint64_t asn;
    uint32_t frame_counter;
    frames_result result;
    uint16_t dst_pan, src_pan;
    uint8_t len; /**< FCS excluded */
    uint8_t type, version;
    uint8_t security_enabled, frame_pending, ack_request, pan_id_compression, seq_suppressed,
        ie_present;
    uint8_t seq, dst_pan_present, src_pan_present, dst_mode, src_mode;
    uint8_t dst[8], src[8]; /**< most significant octet first */
    uint8_t level, key_id_mode, counter_suppressed, asn_in_nonce, key_index;
    uint8_t key_source[8];
    uint8_t ash, header_ie, open, private_payload; /**< wm_frame_map */
    uint8_t a_len, m_start, m_len, mic_len;        /**< wm_frame_split */
    uint8_t has_asn, has_nonce, fcs_len;
    uint8_t nonce[13];
    uint8_t spare[4];
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
