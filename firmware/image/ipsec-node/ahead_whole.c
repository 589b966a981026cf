/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets are secured and unsecured as a whole. */
#include "ahead.h"

void ahead_start(bool yes)
{
    (void)yes;
}

wm_status ahead_secure(wm_ipsec *ipsec, uint8_t *packet, size_t size, uint16_t *len)
{
    return wm_ipsec_secure(ipsec, packet, size, len);
}

wm_status ahead_unsecure(wm_ipsec *ipsec, uint8_t *packet, uint16_t *len)
{
    return wm_ipsec_unsecure(ipsec, packet, len);
}

bool ahead_come(const wm_ipsec *ipsec, uint8_t *packet, uint16_t total, uint16_t have)
{
    (void)ipsec;
    (void)packet;
    (void)total;
    (void)have;
    return false;
}

bool ahead_work(void)
{
    return false;
}

void ahead_drop_in(const uint8_t *packet)
{
    (void)packet;
}

void ahead_drop_out(const uint8_t *packet)
{
    (void)packet;
}

const wm_lowpan_maker *ahead_maker(void)
{
    return NULL;
}
