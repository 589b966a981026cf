/* SPDX-License-Identifier: BSD-3-Clause */
/* Information Elements.
 *
 * References: IEEE 802.15.4-2015 7.4.2 (header IEs), 7.4.2.7 (Time Correction IE), 7.4.3 (payload
 * IEs), 7.4.4 (nested IEs). Each list walks over a 16-bit descriptor, least significant octet
 * first, and its content; both are compared with what is left before they are read. */
#include <stddef.h>
#include <wardmote/octets.h>
#include <wardmote/ie.h>

#define TYPE_BIT 0x8000u /* header and payload IEs: 1 payload; nested: 1 long format */
#define HEADER_LEN_MASK 0x007Fu
#define PAYLOAD_LEN_MASK 0x07FFu /* also the long nested format */
#define SHORT_LEN_MASK 0x00FFu
#define NACK_BIT 0x8000u
#define CORRECTION_MASK 0x0FFFu
#define CORRECTION_SIGN 0x0800u

/* Descriptor of the next IE, if 2 octets are left for one. */
static wm_status next_descriptor(wm_ie_list *list, wm_ie *ie, uint16_t *descriptor)
{
    ie->content = NULL;
    if (list->left == 0) {
        return WM_OK;
    }
    if (list->left < 2) {
        return WM_ERR_MALFORMED;
    }
    *descriptor = wm_load_le16(list->at);
    list->at += 2;
    list->left = (wm_psdu_len)(list->left - 2u);
    ie->content = list->at;
    return WM_OK;
}

static wm_status take_content(wm_ie_list *list, wm_ie *ie, uint16_t len)
{
    if (len > list->left) {
        ie->content = NULL;
        return WM_ERR_MALFORMED;
    }
    ie->len = len;
    list->at += len;
    list->left = (wm_psdu_len)(list->left - len);
    return WM_OK;
}

wm_status wm_ie_next_header(wm_ie_list *list, wm_ie *ie)
{
    uint16_t descriptor = 0;
    const wm_status status = next_descriptor(list, ie, &descriptor);

    if (status != WM_OK || ie->content == NULL) {
        return status;
    }
    if ((descriptor & TYPE_BIT) != 0) {
        ie->content = NULL;
        return WM_ERR_MALFORMED;
    }
    ie->id = (uint8_t)((uint16_t)(descriptor + descriptor) >> 8); /* bits 7..14 */
    ie->long_format = false;
    return take_content(list, ie, descriptor & HEADER_LEN_MASK);
}

wm_status wm_ie_next_payload(wm_ie_list *list, wm_ie *ie)
{
    uint16_t descriptor = 0;
    const wm_status status = next_descriptor(list, ie, &descriptor);

    if (status != WM_OK || ie->content == NULL) {
        return status;
    }
    if ((descriptor & TYPE_BIT) == 0) {
        ie->content = NULL;
        return WM_ERR_MALFORMED;
    }
    ie->id = (uint8_t)(descriptor >> 11) & 0xFu;
    ie->long_format = false;
    return take_content(list, ie, descriptor & PAYLOAD_LEN_MASK);
}

wm_status wm_ie_next_nested(wm_ie_list *list, wm_ie *ie)
{
    uint16_t descriptor = 0;
    const wm_status status = next_descriptor(list, ie, &descriptor);

    if (status != WM_OK || ie->content == NULL) {
        return status;
    }
    ie->long_format = (descriptor & TYPE_BIT) != 0;
    if (ie->long_format) {
        ie->id = (uint8_t)(descriptor >> 11) & 0xFu;
        return take_content(list, ie, descriptor & PAYLOAD_LEN_MASK);
    }
    ie->id = (uint8_t)(descriptor >> 8) & 0x7Fu;
    return take_content(list, ie, descriptor & SHORT_LEN_MASK);
}

wm_status wm_header_ies_end(const uint8_t *frame, wm_psdu_len pos, wm_psdu_len end,
                            wm_psdu_len *after)
{
    wm_ie_list list = {frame + pos, (wm_psdu_len)(end - pos)};
    wm_ie ie;

    do {
        const wm_status status = wm_ie_next_header(&list, &ie);
        if (status != WM_OK) {
            return status;
        }
        if (ie.content != NULL && (ie.id == WM_IE_HT1 || ie.id == WM_IE_HT2)) {
            *after = (wm_psdu_len)(end - list.left);
            return ie.len == 0 ? WM_OK : WM_ERR_MALFORMED;
        }
    } while (ie.content != NULL);
    *after = end;
    return WM_OK;
}

wm_status wm_time_correction_build(uint8_t *out, wm_psdu_len size, int16_t us, bool nack)
{
    if (size < WM_TIME_CORRECTION_LEN) {
        return WM_ERR_FRAME_TOO_LONG;
    }
    if (us < WM_TIME_CORRECTION_MIN) {
        us = WM_TIME_CORRECTION_MIN;
    } else if (us > WM_TIME_CORRECTION_MAX) {
        us = WM_TIME_CORRECTION_MAX;
    }
    wm_store_le16(out, (uint16_t)(WM_IE_TIME_CORRECTION << 7 | 2));
    wm_store_le16(out + 2, (uint16_t)(((uint16_t)us & CORRECTION_MASK) | (nack ? NACK_BIT : 0u)));
    return WM_OK;
}

wm_status wm_time_correction_parse(const uint8_t *octets, wm_psdu_len len, int16_t *us, bool *nack)
{
    wm_ie_list list = {octets, len};
    wm_ie ie;
    uint16_t info;

    do {
        const wm_status status = wm_ie_next_header(&list, &ie);
        if (status != WM_OK) {
            return status;
        }
        if (ie.content == NULL || ie.id == WM_IE_HT1 || ie.id == WM_IE_HT2) {
            return WM_ERR_MALFORMED;
        }
    } while (ie.id != WM_IE_TIME_CORRECTION);
    if (ie.len != 2) {
        return WM_ERR_MALFORMED;
    }
    info = wm_load_le16(ie.content);
    *nack = (info & NACK_BIT) != 0;
    info &= CORRECTION_MASK;
    /* 12 bits, two's complement: 0x800..0xFFF are -2048..-1. */
    *us = (int16_t)((int16_t)(info ^ CORRECTION_SIGN) - (int16_t)CORRECTION_SIGN);
    return WM_OK;
}
