/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"
#include "aes_key.h"

wm_status suite_encrypts(const ipsec_node_sa *from, uint8_t number, bool engine, wm_ipsec_sa *to)
{
    static ipsec_key keys[IPSEC_NODE_SAS];
    to->cipher = ipsec_key_make(&keys[number], from->key, engine);
    return WM_OK;
}

wm_status suite_decrypts(const ipsec_node_sa *from, uint8_t number, bool engine, wm_ipsec_sa *to)
{
    static ipsec_both_key keys[IPSEC_NODE_SAS];
    to->cipher = ipsec_both_key_make(&keys[number], from->key, engine);
    return WM_OK;
}

wm_status suite_hmac(const ipsec_node_sa *from, uint8_t number, bool engine, wm_ipsec_sa *to)
{
    (void)number;
    (void)engine;
    to->integrity_key.octets = from->integrity_key;
    return WM_OK;
}

static ipsec_key codes[IPSEC_NODE_SAS];

wm_status suite_xcbc(const ipsec_node_sa *from, uint8_t number, bool engine, wm_ipsec_sa *to)
{
    static wm_xcbc_mac_key keys[IPSEC_NODE_SAS];
    to->integrity_key.xcbc = &keys[number];
    return wm_xcbc_mac_derive(&keys[number],
                              ipsec_key_make(&codes[number], from->integrity_key, engine));
}

wm_status suite_cmac(const ipsec_node_sa *from, uint8_t number, bool engine, wm_ipsec_sa *to)
{
    static wm_cmac_key keys[IPSEC_NODE_SAS];
    to->integrity_key.cmac = &keys[number];
    return wm_cmac_derive(&keys[number],
                          ipsec_key_make(&codes[number], from->integrity_key, engine));
}
