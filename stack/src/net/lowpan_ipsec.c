/* SPDX-License-Identifier: BSD-3-Clause */
/* AH and ESP as LOWPAN_NHC.
 *
 * References: Raza et al., "Securing communication in 6LoWPAN with compressed IPsec" (2011), V
 * (paper); draft-raza-6lo-ipsec (draft). docs/which-definitions-are-ours.md says what they leave
 * open. After the octet of the extension header comes one of this form:
 *
 *            paper                   draft
 *     AH     1101 PL SPI SN NH       1101 SPI(2) SN(2)
 *     ESP    1110 0  SPI SN 0        1110 SPI(2) SN(2)
 *
 * and the fields that are in line, in the order of the header. */
#include "lowpan_parts.h"
#include <wardmote/octets.h>

#define AH 0xD0u
#define ESP 0xE0u
#define KIND_MASK 0xF0u
#define PL 0x08u /* of the paper: Payload Length is in line */
#define NH 0x01u /* of the paper: LOWPAN_NHC follows */
#define DEFAULT_SPI 1u
#define AH_LEN_DEFAULT 4u /* Payload Length of an AH with 12 octets of ICV */
#define AH_FIXED 12u
#define ESP_FIXED 8u
#define FIELDS_AT 4u /* of an AH; 0 of an ESP */
#define AS_IT_IS 9u  /* octets of an ESP header, and of the Next Header in front of it */
#define ICV_LEN(len) ((uint16_t)(((len) + 2u) * 4u - AH_FIXED))

/* Octets in line of a field by its bits. */
typedef struct layout {
    uint8_t spi[4], sn[4];
    uint8_t sn_shift, mask;
} layout;

#define SPI_SHIFT 2u

static const layout layouts[2] = {{{0, 4, 0, 0}, {2, 4, 0, 0}, 1, 1},
                                  {{0, 1, 2, 4}, {1, 2, 3, 4}, 0, 3}};

static const layout *layout_of(const wm_lowpan *net)
{
    return &layouts[net->ipsec == WM_LOWPAN_IPSEC_DRAFT ? 1 : 0];
}

static uint8_t known_len(const wm_lowpan *net)
{
    return net->ah_len != 0 ? net->ah_len : AH_LEN_DEFAULT;
}

/* Octets of a number in 4 octets, the most significant one first, without zeros in front. */
static uint8_t significant(const uint8_t *field)
{
    uint8_t octets = 4;

    while (octets != 0 && *field == 0) {
        field++;
        octets--;
    }
    return octets;
}

/* The bits of the fewest octets that hold so many. */
static uint8_t bits_of(const uint8_t octets[4], uint8_t least)
{
    uint8_t bits = 0;

    while (octets[bits] == 0 || octets[bits] < least) {
        bits++;
    }
    return bits;
}

/* The default SPI has the bits 0: none in line. */
static uint8_t flags_of(const layout *of, const uint8_t *fields)
{
    const uint8_t spi = significant(fields);
    const uint8_t sn = bits_of(of->sn, significant(fields + 4));

    return (uint8_t)((spi == 1 && fields[3] == DEFAULT_SPI
                          ? 0u
                          : (unsigned)bits_of(of->spi, spi) << SPI_SHIFT) |
                     (unsigned)sn << of->sn_shift);
}

static uint8_t spi_len(const layout *of, uint8_t flags)
{
    return of->spi[flags >> SPI_SHIFT & of->mask];
}

static uint8_t sn_len(const layout *of, uint8_t flags)
{
    return of->sn[flags >> of->sn_shift & of->mask];
}

uint16_t wm_lowpan_ipsec_len(const wm_lowpan *net, uint8_t protocol, const uint8_t *at,
                             uint16_t left)
{
    const layout *of = layout_of(net);
    uint16_t len;

    if (net->ipsec == WM_LOWPAN_IPSEC_NONE) {
        return 0;
    }
    if (protocol == WM_IPV6_ESP && left >= ESP_FIXED) {
        const uint8_t flags = flags_of(of, at);
        return 2u + spi_len(of, flags) + sn_len(of, flags) < AS_IT_IS ? ESP_FIXED : 0;
    }
    if (protocol != WM_IPV6_AH) {
        return 0;
    }
    len = wm_ipv6_extension_len(protocol, at, left);
    return len < AH_FIXED || wm_load_be16(at + 2) != 0 ||
                   (net->ipsec == WM_LOWPAN_IPSEC_DRAFT && at[1] != known_len(net))
               ? 0
               : len;
}

void wm_lowpan_ipsec_put(const wm_lowpan *net, uint8_t protocol, const uint8_t *at, bool nh,
                         wm_lowpan_sink *sink)
{
    const bool ah = protocol == WM_IPV6_AH;
    const bool len = ah && at[1] != known_len(net);
    const uint8_t *fields = ah ? at + FIELDS_AT : at;
    const layout *of = layout_of(net);
    const uint8_t flags = flags_of(of, fields);
    const uint8_t spi = spi_len(of, flags);
    const uint8_t sn = sn_len(of, flags);

    wm_lowpan_put1(sink, WM_NHC_EXT | WM_EID_IPSEC << 1 | WM_NHC_NH);
    wm_lowpan_put1(sink,
                   (uint8_t)((ah ? AH : ESP) | flags | (len ? PL : 0u) | (ah && nh ? NH : 0u)));
    if (ah && !nh) {
        wm_lowpan_put1(sink, at[0]);
    }
    if (len) {
        wm_lowpan_put1(sink, at[1]);
    }
    wm_lowpan_put(sink, fields + 4 - spi, spi);
    wm_lowpan_put(sink, fields + 8 - sn, sn);
    if (ah) {
        wm_lowpan_put(sink, at + AH_FIXED, ICV_LEN(at[1]));
    }
}

/* Puts a number of at most 4 octets at the end of 4 octets. */
static void put_number(uint8_t to[4], const uint8_t *from, uint8_t octets)
{
    const uint8_t zeros = (uint8_t)(4u - octets);
    uint8_t i;

    for (i = 0; i < 4; i++) {
        to[i] = i < zeros ? 0 : *from++;
    }
}

/* SPI and sequence number: what is not in line is 0, or the default SPI. */
static bool take_fields(const layout *of, uint8_t flags, wm_lowpan_source *in,
                        wm_lowpan_ipsec *found)
{
    const uint8_t spi = spi_len(of, flags);
    const uint8_t sn = sn_len(of, flags);
    const uint8_t *octets = wm_lowpan_take(in, (uint16_t)(spi + sn));

    if (octets == NULL) {
        return false;
    }
    put_number(found->fields, octets, spi);
    if (spi == 0) {
        found->fields[3] = DEFAULT_SPI;
    }
    put_number(found->fields + 4, octets + spi, sn);
    return true;
}

static bool take_ah(const wm_lowpan *net, uint8_t nhc, wm_lowpan_source *in, wm_lowpan_ipsec *found)
{
    const bool paper = net->ipsec == WM_LOWPAN_IPSEC_PAPER;
    const bool len = paper && (nhc & PL) != 0;
    const uint8_t *octets;

    found->protocol = WM_IPV6_AH;
    found->nh = paper && (nhc & NH) != 0;
    octets = wm_lowpan_take(in, (uint16_t)((found->nh ? 0u : 1u) + (len ? 1u : 0u)));
    if (octets == NULL) {
        return false;
    }
    found->next = found->nh ? 0 : octets[0];
    found->ah_len = len ? octets[found->nh ? 0 : 1] : known_len(net);
    if (found->ah_len == 0 || !take_fields(layout_of(net), nhc, in, found)) {
        return false;
    }
    found->icv_len = ICV_LEN(found->ah_len);
    found->icv = wm_lowpan_take(in, found->icv_len);
    return found->icv != NULL;
}

wm_status wm_lowpan_ipsec_take(const wm_lowpan *net, wm_lowpan_source *in, wm_lowpan_ipsec *found)
{
    const uint8_t *nhc = wm_lowpan_take(in, 1);
    bool right = false;

    if (net->ipsec == WM_LOWPAN_IPSEC_NONE || nhc == NULL) {
        return WM_ERR_MALFORMED;
    }
    if ((*nhc & KIND_MASK) == AH) {
        right = take_ah(net, *nhc, in, found);
    } else if ((*nhc & KIND_MASK) == ESP) {
        found->protocol = WM_IPV6_ESP;
        found->nh = false;
        right = (net->ipsec == WM_LOWPAN_IPSEC_DRAFT || (*nhc & (PL | NH)) == 0) &&
                take_fields(layout_of(net), *nhc, in, found);
    }
    return right ? WM_OK : WM_ERR_MALFORMED;
}
