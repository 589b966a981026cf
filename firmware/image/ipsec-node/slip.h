/* SPDX-License-Identifier: BSD-3-Clause */
/** @file slip.h
 *  Frames on a serial line (RFC 1055): END behind each, and before the first. */
#ifndef IMAGE_IPSEC_NODE_SLIP_H
#define IMAGE_IPSEC_NODE_SLIP_H

#include <stdbool.h>
#include <stdint.h>
#include <wardmote/ieee802154.h>

#define SLIP_END 0xC0u

/** What has come of a frame. */
typedef struct slip_frame {
    uint8_t octet[WM_FRAME_MAX];
    uint8_t len;
    bool escaped, spoiled;
} slip_frame;

typedef enum slip_verdict {
    SLIP_MORE,   /**< the frame is not whole */
    SLIP_WHOLE,  /**< it is: slip_begin before the next octet */
    SLIP_SPOILED /**< what ends here is no frame: it is too long, or has an unknown escape */
} slip_verdict;

/** Nothing has come. */
void slip_begin(slip_frame *frame);

/** An octet of the line. */
slip_verdict slip_take(slip_frame *frame, uint8_t octet);

/** Octets of the line that a frame with these octets takes, its end excluded. */
uint16_t slip_len(const uint8_t *octets, uint8_t len);

/** Sends octets of a frame by line_put. */
void slip_put(const uint8_t *octets, uint8_t len);

/** Ends the frame. */
void slip_end(void);

#endif
