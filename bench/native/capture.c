/* SPDX-License-Identifier: BSD-3-Clause */
/* Capture files: classic pcap in its four forms, and pcapng. References: draft-ietf-opsawg-pcap
 * (file header, record), draft-ietf-opsawg-pcapng (blocks 1, 2, 3, 6, options 9, 14). Invariant:
 * before anything is read at `at`, its end was compared with the size of the file. */
#include <stddef.h>
#include "frames.h"

#define MAGIC_MICROSECONDS 0xA1B2C3D4u
#define MAGIC_NANOSECONDS 0xA1B23C4Du
#define MAGIC_SECTION 0x0A0D0D0Au
#define MAGIC_ORDER 0x1A2B3C4Du
#define FILE_HEADER 24u
#define RECORD_HEADER 16u
#define LINK_MASK 0xFFFFu
#define LINK_SAYS_FCS 0x04000000u /* then the four most significant bits count pairs of octets */
#define LINK_FCS_SHIFT 28u

#define BLOCK_LEAST 12u
#define BLOCK_INTERFACE 1u
#define BLOCK_PACKET 2u /* obsolete, but written for years */
#define BLOCK_SIMPLE 3u
#define BLOCK_ENHANCED 6u
#define OPTION_END 0u
#define OPTION_RESOLUTION 9u
#define OPTION_FCS 13u /* its length in bits */
#define OPTION_OFFSET 14u
#define INTERFACES 64u
#define NS_PER_S 1000000000u

typedef struct reader {
    const uint8_t *file;
    uint64_t size;
    bool swapped; /* most significant octet first */
    frames_capture *capture;
    frames_record *records;
    uint64_t room;
} reader;

typedef struct interface {
    uint32_t link_type, snap;
    uint8_t resolution; /* as in the option: a power of ten, of two with bit 7 */
    uint8_t fcs_len;    /* octets, or FRAMES_FCS_UNSAID */
    int64_t offset_s;
} interface;

static uint16_t load16(const reader *in, uint64_t at)
{
    const uint8_t *p = in->file + at;
    return (uint16_t)(in->swapped ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

static uint32_t load32(const reader *in, uint64_t at)
{
    const uint32_t first = load16(in, at), second = load16(in, at + 2);
    return in->swapped ? first << 16 | second : second << 16 | first;
}

static void add_record(const reader *in, frames_record record)
{
    if (in->capture->frames < in->room) {
        in->records[in->capture->frames] = record;
    }
    in->capture->frames++;
}

static uint8_t read_classic(reader *in)
{
    const uint32_t per_fraction = in->capture->nanoseconds ? 1 : 1000;
    uint64_t at = FILE_HEADER;

    if (in->size < FILE_HEADER) {
        return FRAMES_NO_CAPTURE;
    }
    const uint32_t link = load32(in, 20);
    in->capture->link_type = link & LINK_MASK;
    if ((link & LINK_SAYS_FCS) != 0) {
        in->capture->fcs_len = (uint8_t)(2u * (link >> LINK_FCS_SHIFT));
    }
    while (in->size - at >= RECORD_HEADER) {
        const uint32_t captured = load32(in, at + 8);
        if (captured > in->size - at - RECORD_HEADER) {
            break;
        }
        const uint64_t time =
            (uint64_t)load32(in, at) * NS_PER_S + (uint64_t)load32(in, at + 4) * per_fraction;
        add_record(in, (frames_record){at + RECORD_HEADER, time, captured, load32(in, at + 12)});
        at += RECORD_HEADER + captured;
        in->capture->end = at;
    }
    return at == in->size ? FRAMES_READ : FRAMES_CUT;
}

/* Nanoseconds of `ticks` of an interface. */
static uint64_t to_ns(const interface *link, uint64_t ticks)
{
    const uint8_t exponent = link->resolution & 0x7F;
    uint64_t ns = ticks;

    if ((link->resolution & 0x80) != 0) {
        const uint8_t fine = exponent > 32 ? 32 : exponent; /* 2^32 x 10^9 still fits */
        ticks = exponent - fine < 64 ? ticks >> (exponent - fine) : 0;
        ns = (ticks >> fine) * NS_PER_S +
             (((ticks & ((UINT64_C(1) << fine) - 1)) * NS_PER_S) >> fine);
    } else {
        for (uint8_t e = exponent; e < 9; e++) {
            ns *= 10;
        }
        for (uint8_t e = exponent; e > 9 && ns != 0; e--) {
            ns /= 10;
        }
    }
    return ns + (uint64_t)link->offset_s * NS_PER_S;
}

/* Interface description: link type 2, reserved 2, snap length 4, options. */
static bool read_interface(const reader *in, uint64_t at, uint64_t end, interface *link)
{
    if (end - at < 8) {
        return false;
    }
    *link = (interface){load16(in, at), load32(in, at + 4), 6, FRAMES_FCS_UNSAID, 0};
    at += 8;
    while (end - at >= 4) {
        const uint16_t code = load16(in, at), length = load16(in, at + 2);
        const uint32_t padded = (length + 3u) & ~3u;
        at += 4;
        if (code == OPTION_END) {
            break;
        }
        if (padded > end - at) {
            return false;
        }
        if (code == OPTION_RESOLUTION && length == 1) {
            link->resolution = in->file[at];
        } else if (code == OPTION_FCS && length == 1) {
            link->fcs_len = in->file[at] / 8u;
        } else if (code == OPTION_OFFSET && length == 8) {
            const uint64_t low = load32(in, at + (in->swapped ? 4 : 0)),
                           high = load32(in, at + (in->swapped ? 0 : 4));
            link->offset_s = (int64_t)(high << 32 | low);
        }
        at += padded;
    }
    return true;
}

/* A block with a frame, its body from `at` to `end`. */
static uint8_t read_packet(reader *in, uint32_t type, uint64_t at, uint64_t end,
                           const interface *links, uint32_t count)
{
    const uint32_t head = type == BLOCK_SIMPLE ? 4 : 20;
    frames_record record = {at + head, 0, 0, 0};
    uint32_t link = 0;

    if (end - at < head) {
        return FRAMES_BROKEN;
    }
    if (type == BLOCK_PACKET) {
        link = load16(in, at); /* the count of drops that follows is not needed */
    } else if (type == BLOCK_ENHANCED) {
        link = load32(in, at);
    }
    if (link >= count) {
        return FRAMES_BROKEN;
    }
    if (type == BLOCK_SIMPLE) {
        const uint32_t snap = links[link].snap;
        record.original = load32(in, at);
        record.captured = snap != 0 && record.original > snap ? snap : record.original;
    } else {
        record.time_ns =
            to_ns(links + link, (uint64_t)load32(in, at + 4) << 32 | load32(in, at + 8));
        record.captured = load32(in, at + 12);
        record.original = load32(in, at + 16);
    }
    if (record.captured > end - record.at) {
        return FRAMES_BROKEN;
    }
    if (in->capture->frames != 0 && (in->capture->link_type != links[link].link_type ||
                                     in->capture->fcs_len != links[link].fcs_len)) {
        return FRAMES_MIXED_LINKS;
    }
    in->capture->link_type = links[link].link_type;
    in->capture->fcs_len = links[link].fcs_len;
    add_record(in, record);
    return FRAMES_READ;
}

static uint8_t read_block(reader *in, uint32_t type, uint64_t at, uint64_t end, interface *links,
                          uint32_t *count)
{
    if (type == BLOCK_INTERFACE) {
        if (*count == INTERFACES) {
            return FRAMES_MANY_LINKS;
        }
        if (!read_interface(in, at, end, links + *count)) {
            return FRAMES_BROKEN;
        }
        if (*count == 0 && in->capture->frames == 0) {
            in->capture->link_type = links[0].link_type;
            in->capture->fcs_len = links[0].fcs_len;
        }
        ++*count;
        return FRAMES_READ;
    }
    if (type == BLOCK_PACKET || type == BLOCK_SIMPLE || type == BLOCK_ENHANCED) {
        return read_packet(in, type, at, end, links, *count);
    }
    return FRAMES_READ; /* names, statistics, comments */
}

/* A section begins: a magic number in it tells its order of octets. */
static bool read_section(reader *in, uint64_t at, uint32_t *count)
{
    in->swapped = false;
    if (load32(in, at + 8) != MAGIC_ORDER) {
        in->swapped = true;
        if (load32(in, at + 8) != MAGIC_ORDER) {
            return false;
        }
    }
    *count = 0;
    return true;
}

static uint8_t read_blocks(reader *in)
{
    interface links[INTERFACES];
    uint32_t count = 0;
    uint64_t at = 0;

    in->capture->pcapng = 1;
    in->capture->nanoseconds = 1;
    while (in->size - at >= BLOCK_LEAST) {
        const uint32_t type = load32(in, at);
        if (type == MAGIC_SECTION && !read_section(in, at, &count)) {
            return at == 0 ? FRAMES_NO_CAPTURE : FRAMES_BROKEN;
        }
        const uint32_t length = load32(in, at + 4);
        if (length < BLOCK_LEAST || (length & 3u) != 0) {
            return FRAMES_BROKEN;
        }
        if (length > in->size - at) {
            break;
        }
        const uint64_t end = at + length - 4; /* the length is repeated at the end */
        if (load32(in, end) != length) {
            return FRAMES_BROKEN;
        }
        if (type != MAGIC_SECTION) {
            const uint8_t reading = read_block(in, type, at + 8, end, links, &count);
            if (reading != FRAMES_READ) {
                return reading;
            }
        }
        at += length;
        in->capture->end = at;
    }
    return at == in->size ? FRAMES_READ : FRAMES_CUT;
}

uint8_t frames_index(const uint8_t *file, uint64_t size, frames_capture *capture,
                     frames_record *records, uint64_t room)
{
    reader in = {file, size, false, capture, records, room};

    *capture = (frames_capture){.fcs_len = FRAMES_FCS_UNSAID};
    if (size < 4) {
        return FRAMES_NO_CAPTURE;
    }
    for (uint8_t order = 0; order < 2; order++) {
        in.swapped = order != 0;
        const uint32_t magic = load32(&in, 0);
        if (magic == MAGIC_MICROSECONDS || magic == MAGIC_NANOSECONDS) {
            capture->nanoseconds = magic == MAGIC_NANOSECONDS;
            return read_classic(&in);
        }
        if (magic == MAGIC_SECTION) {
            return size < BLOCK_LEAST + 16 ? FRAMES_NO_CAPTURE : read_blocks(&in);
        }
    }
    return FRAMES_NO_CAPTURE;
}
