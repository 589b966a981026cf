/* SPDX-License-Identifier: BSD-3-Clause */
#include <wardmote/ipsec_ahead.h>
#include "ahead.h"
#include "phase.h"
#include "suite.h"

static wm_ipsec_ahead in, out;
static bool works;

void ahead_start(bool yes)
{
    works = yes;
    in.codes = out.codes = suite_codes; /* code is shorter than a copy of what RAM begins with */
    in.streams = out.streams = suite_streams;
}

wm_status ahead_secure(wm_ipsec *ipsec, uint8_t *packet, size_t size, uint16_t *len)
{
    return works ? wm_ipsec_secure_ahead(&out, ipsec, packet, size, len)
                 : wm_ipsec_secure(ipsec, packet, size, len);
}

wm_status ahead_unsecure(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len)
{
    return wm_ipsec_unsecure_ahead(&in, ipsec, packet, len);
}

bool ahead_come(const wm_ipsec *ipsec, uint8_t *packet, uint16_t total, uint16_t have)
{
    uint8_t phase = phase_enter(IPSEC_NODE_UNSECURE);
    if (in.sa == NULL) {
        (void)(works && wm_ipsec_ahead_open(&in, ipsec, packet, total, have));
    } else if (in.packet == packet) {
        wm_ipsec_ahead_come(&in, have);
    }
    (void)phase_enter(phase);
    return in.sa != NULL && in.packet == packet;
}

/* What goes is waited for more than what comes. */
bool ahead_work(void)
{
    uint8_t phase = phase_enter(IPSEC_NODE_SECURE);
    bool worked = wm_ipsec_ahead_work(&out);
    if (!worked) {
        (void)phase_enter(IPSEC_NODE_UNSECURE);
        worked = wm_ipsec_ahead_work(&in);
    }
    (void)phase_enter(phase);
    return worked;
}

void ahead_drop_in(const uint8_t *packet)
{
    if (in.packet == packet) {
        wm_ipsec_ahead_stop(&in);
    }
}

void ahead_drop_out(const uint8_t *packet)
{
    if (out.packet == packet) {
        wm_ipsec_ahead_stop(&out);
    }
}

static wm_status make(void *context, const uint8_t *packet, uint16_t end)
{
    uint8_t phase = phase_enter(IPSEC_NODE_SECURE);
    wm_status status = wm_ipsec_ahead_make(context, packet, end);
    (void)phase_enter(phase);
    return status;
}

const wm_lowpan_maker *ahead_maker(void)
{
    static const wm_lowpan_maker maker = {make, &out};
    return works ? &maker : NULL;
}
