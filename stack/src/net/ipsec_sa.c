/* SPDX-License-Identifier: BSD-3-Clause */
/* SAs and policies of IPsec: what may be in the tables, and new keys.
 * References: RFC 4301 §4.4; RFC 4303 §3.2; RFC 8221 §4.
 * Departs: SPIs 1 to 255 are taken (RFC 4303 §2.1 keeps them for IANA): header compression elides
 * SPI 1. */
#include <wardmote/ct.h>
#include "ipsec_parts.h"

#define ADDRESS_BITS 128u
#define MULTICAST 0xFFu
#define SALT_THAT_ALL_HAVE 3u /* octets: those of CCM */

/* AH has integrity alone; ESP has an ICV from one of the two, or none for a study. */
static wm_status check_integrity(const wm_ipsec *ipsec, const wm_ipsec_sa *sa)
{
    const bool is_ah = sa->protocol->number == WM_IPV6_AH;
    if (is_ah != (sa->encryption == NULL)) {
        return WM_ERR_PARAM;
    }
    if (sa->integrity == NULL) {
        return !is_ah && (sa->encryption->icv_octets != 0 || ipsec->profile == WM_IPSEC_STUDY)
                   ? WM_OK
                   : WM_ERR_PARAM;
    }
    if (sa->integrity_key.octets == NULL || (!is_ah && sa->encryption->icv_octets != 0)) {
        return WM_ERR_PARAM;
    }
    return sa->integrity->ready(sa->integrity_key) ? WM_OK : WM_ERR_STATE;
}

static wm_status check_cipher(const wm_ipsec_sa *sa, bool receives)
{
    const wm_ipsec_encryption *encryption = sa->encryption;
    if (encryption == NULL || encryption->cipher_octets == 0) {
        return WM_OK;
    }
    if (sa->cipher == NULL) {
        return WM_ERR_PARAM;
    }
    const wm_cipher_ops *ops = sa->cipher->ops;
    if (ops == NULL) {
        return WM_ERR_STATE;
    }
    return ops->block_octets == encryption->cipher_octets &&
                   (!encryption->decrypts || !receives || ops->decrypt != NULL)
               ? WM_OK
               : WM_ERR_PARAM;
}

wm_status wm_ipsec_check_sa(const wm_ipsec *ipsec, const wm_ipsec_sa *sa, bool receives)
{
    if (sa->spi == 0 || sa->group == 0) {
        return WM_ERR_PARAM;
    }
    if (!wm_counter_made(sa->counter)) {
        return WM_ERR_NO_STORE;
    }
    wm_status status = check_integrity(ipsec, sa);
    return status == WM_OK ? check_cipher(sa, receives) : status;
}

bool wm_ipsec_usable(const wm_ipsec *ipsec, const wm_ipsec_sa *sa, bool receives)
{
    return wm_ipsec_check_sa(ipsec, sa, receives) == WM_OK &&
           (sa->sequence == UINT32_MAX || sa->counter->ops->continues(sa->counter, sa->sequence));
}

/* Whether the packets of one SA have an ICV that is right under the other. The codes leave out salts,
 * and ESP's leave out addresses too: somebody who exchanges those sends a packet back. */
static bool same_icv(const wm_ipsec_sa *one, const wm_ipsec_sa *other)
{
    return one->protocol == other->protocol && one->spi == other->spi && one->integrity != NULL &&
           other->integrity != NULL && one->integrity_key.octets == other->integrity_key.octets;
}

/* Whether two SAs have nothing that must be one's own. Algorithms make their blocks of the salt in
 * different ways, so with one key there are differing salts that make one block. */
static bool apart(const wm_ipsec_sa *one, const wm_ipsec_sa *other)
{
    if (same_icv(one, other)) {
        return false;
    }
    return one->cipher == NULL || one->cipher != other->cipher ||
           (one->encryption == other->encryption &&
            wm_ct_diff(one->salt, other->salt, SALT_THAT_ALL_HAVE) != 0);
}

/* The SA of that number: those that receive come first. */
static wm_ipsec_sa *numbered(const wm_ipsec *ipsec, uint8_t number)
{
    return number < ipsec->ins ? ipsec->in + number : ipsec->out + (number - ipsec->ins);
}

/* Whether `sa` can take the place of number `at`. */
static wm_status check_among(const wm_ipsec *ipsec, const wm_ipsec_sa *sa, uint8_t at)
{
    const bool receives = at < ipsec->ins;
    for (uint8_t i = 0; i < ipsec->ins + ipsec->outs; i++) {
        const wm_ipsec_sa *other = numbered(ipsec, i);
        if (i == at || other->protocol == NULL) {
            continue;
        }
        if (sa->counter == other->counter || !apart(sa, other) ||
            (receives && i < ipsec->ins && sa->spi == other->spi &&
             sa->protocol == other->protocol)) {
            return WM_ERR_PARAM;
        }
    }
    return wm_ipsec_check_sa(ipsec, sa, receives);
}

static bool policy_valid(const wm_ipsec_policy *policy)
{
    if (policy->action > WM_IPSEC_PROTECT || policy->prefix > ADDRESS_BITS) {
        return false;
    }
    return policy->action != WM_IPSEC_PROTECT ||
           (policy->prefix == ADDRESS_BITS && policy->remote[0] != MULTICAST &&
            (policy->ah != 0 || policy->esp != 0));
}

wm_status wm_ipsec_start(wm_ipsec *ipsec)
{
    ipsec->started = false;
    if (ipsec->ins + ipsec->outs > WM_IPSEC_SAS_MAX) {
        return WM_ERR_PARAM;
    }
    for (uint8_t i = 0; i < ipsec->count; i++) {
        if (!policy_valid(ipsec->policies + i)) {
            return WM_ERR_PARAM;
        }
    }
    const uint8_t sas = (uint8_t)(ipsec->ins + ipsec->outs);
    for (uint8_t i = 0; i < sas; i++) {
        wm_ipsec_sa *sa = numbered(ipsec, i);
        if (sa->protocol == NULL) {
            continue;
        }
        wm_status status = check_among(ipsec, sa, i);
        if (status != WM_OK) {
            return status;
        }
        wm_ipsec_restore(sa);
    }
    ipsec->started = true;
    return WM_OK;
}

wm_status wm_ipsec_change_keys(wm_ipsec *ipsec, wm_ipsec_sa *sa, const wm_ipsec_sa *to)
{
    uint8_t at = 0;
    while (at < ipsec->ins + ipsec->outs && numbered(ipsec, at) != sa) {
        at++;
    }
    if (!ipsec->started || at == ipsec->ins + ipsec->outs || to->protocol == NULL) {
        return ipsec->started ? WM_ERR_PARAM : WM_ERR_STATE;
    }
    wm_ipsec_sa changed = *to;
    changed.group = sa->group;
    changed.counter = sa->counter;
    wm_status status = apart(&changed, sa) ? check_among(ipsec, &changed, at) : WM_ERR_PARAM;
    if (status == WM_OK) {
        status = sa->counter->ops->clear(sa->counter);
    }
    if (status == WM_OK) {
        *sa = changed;
        wm_ipsec_restore(sa);
    }
    return status;
}
