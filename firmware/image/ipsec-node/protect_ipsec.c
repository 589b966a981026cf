/* SPDX-License-Identifier: BSD-3-Clause */
#include "ahead.h"
#include "board.h"
#include "phase.h"
#include "protect.h"
#include <wardmote/counter_slot.h>
#include <wardmote/ipv6.h>
#include "suite.h"

static wm_ipsec ipsec;
static wm_ipsec_sa in[IPSEC_NODE_SAS], out[IPSEC_NODE_SAS];
static wm_counter_slot counters[IPSEC_NODE_SAS];

/* Algorithms that do not belong together wm_ipsec_start refuses. */
static wm_status make_algorithms(const ipsec_node_sa *from, uint8_t number, bool engine,
                                 wm_ipsec_sa *to)
{
    wm_status status = WM_OK;
    if (from->encryption > IPSEC_NODE_CCM_8_IIV || from->integrity > IPSEC_NODE_CMAC_96) {
        return WM_ERR_PARAM;
    }
    const suite_encryption *encryption = &suite_encryptions[from->encryption];
    const suite_integrity *integrity = &suite_integrities[from->integrity];
    if ((from->encryption != IPSEC_NODE_NO_ENCRYPTION && encryption->is == NULL) ||
        (from->integrity != IPSEC_NODE_NO_INTEGRITY && integrity->is == NULL)) {
        return WM_ERR_UNSUPPORTED_SECURITY;
    }
    to->protocol = from->protocol == WM_IPV6_AH ? &wm_ipsec_ah : &wm_ipsec_esp;
    to->encryption = encryption->is;
    to->integrity = integrity->is;
    if (encryption->make_key != NULL) {
        status = encryption->make_key(from, number, engine, to);
    }
    if (status == WM_OK && integrity->make_key != NULL) {
        status = integrity->make_key(from, number, engine, to);
    }
    return status;
}

static wm_status make_sa(const ipsec_node_setup *setup, wm_counter_store *store, uint8_t number)
{
    const ipsec_node_sa *from = &setup->sa[number];
    wm_ipsec_sa *to;
    if (from->direction == IPSEC_NODE_IN) {
        to = &in[ipsec.ins++];
    } else if (from->direction == IPSEC_NODE_OUT) {
        to = &out[ipsec.outs++];
    } else {
        return WM_ERR_PARAM;
    }
    to->spi = from->spi;
    to->group = from->group;
    wm_counter_slot_init(&counters[number], store, number);
    to->counter = &counters[number].counter;
    __builtin_memcpy(to->salt, from->salt, sizeof to->salt);
    return make_algorithms(from, number, setup->engine != 0, to);
}

static wm_status secure(wm_ipsec *with, uint8_t *packet, size_t size, uint16_t *len)
{
    uint8_t phase = phase_enter(IPSEC_NODE_SECURE);
    wm_port_mark_begin(WM_MARK_SEC2);
    wm_status status = ahead_secure(with, packet, size, len);
    wm_port_mark_end(WM_MARK_SEC2);
    (void)phase_enter(phase);
    return status;
}

static wm_status unsecure(wm_ipsec *with, uint8_t *packet, uint16_t *len)
{
    uint8_t phase = phase_enter(IPSEC_NODE_UNSECURE);
    wm_port_mark_begin(WM_MARK_SEC1);
    wm_status status = ahead_unsecure(with, packet, len);
    wm_port_mark_end(WM_MARK_SEC1);
    (void)phase_enter(phase);
    ipsec_node_report_block.ipsec_last = (int16_t)status;
    return status;
}

wm_status protect_start(const ipsec_node_setup *setup, wm_counter_store *store, wm_ipv6_node *node)
{
    if (setup->sas > IPSEC_NODE_SAS || setup->policies > IPSEC_NODE_POLICIES) {
        return WM_ERR_PARAM;
    }
    for (uint8_t n = 0; n < setup->sas; n++) {
        wm_status status = make_sa(setup, store, n);
        if (status != WM_OK) {
            return status;
        }
    }
    ahead_start(setup->ahead != 0);
    ipsec.in = in;
    ipsec.out = out;
    ipsec.policies = setup->policy;
    ipsec.count = setup->policies;
    ipsec.profile = setup->study != 0 ? WM_IPSEC_STUDY : WM_IPSEC_STANDARD;
    node->ipsec = &ipsec;
    node->secure = secure;
    node->unsecure = unsecure;
    return wm_ipsec_start(&ipsec);
}
