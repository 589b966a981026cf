/* SPDX-License-Identifier: BSD-3-Clause */
/** @file suite.h
 *  Which algorithms an image has: suite_<name>.c says it in two tables. What they do not name is not
 *  linked. */
#ifndef IMAGE_IPSEC_NODE_SUITE_H
#define IMAGE_IPSEC_NODE_SUITE_H

#include <wardmote/ipsec_ahead.h>
#include "ipsec_node_block.h"

#define SUITE_ENCRYPTIONS (IPSEC_NODE_CCM_8_IIV + 1)
#define SUITE_INTEGRITIES (IPSEC_NODE_CMAC_96 + 1)

/** Makes a key of SA `number`: of encryption, or of integrity. */
typedef wm_status suite_make_key(const ipsec_node_sa *from, uint8_t number, bool engine,
                                 wm_ipsec_sa *to);

typedef struct suite_encryption {
    const wm_ipsec_encryption *is; /**< NULL: the image does not have it */
    suite_make_key *make_key;      /**< NULL: it has no key */
} suite_encryption;

typedef struct suite_integrity {
    const wm_ipsec_integrity *is;
    suite_make_key *make_key;
} suite_integrity;

/** By ipsec_node_encryption and by ipsec_node_integrity. */
extern const suite_encryption suite_encryptions[SUITE_ENCRYPTIONS];
extern const suite_integrity suite_integrities[SUITE_INTEGRITIES];

/** @name What images with ahead_pieces.c can do by pieces; NULL at the end.
 *  @{ */
extern const wm_ipsec_code *const suite_codes[];
extern const wm_ipsec_stream *const suite_streams[];
/** @} */

/** @name Keys: AES that encrypts alone, AES for both directions, HMAC, XCBC, CMAC. With `engine` the
 *  board's AES engine encrypts blocks; it cannot decrypt them, so the CPU does.
 *  @{ */
suite_make_key suite_encrypts, suite_decrypts, suite_hmac, suite_xcbc, suite_cmac;
/** @} */

/** @name What the tables of an image are made of.
 *  @{ */
#define SUITE_NULL [IPSEC_NODE_NULL] = {&wm_ipsec_null, NULL}
#define SUITE_CBC [IPSEC_NODE_CBC] = {&wm_ipsec_aes_cbc, suite_decrypts}
#define SUITE_CTR [IPSEC_NODE_CTR] = {&wm_ipsec_aes_ctr, suite_encrypts}
#define SUITE_CCM_8 [IPSEC_NODE_CCM_8] = {&wm_ipsec_aes_ccm_8, suite_encrypts}
#define SUITE_CCM_16 [IPSEC_NODE_CCM_16] = {&wm_ipsec_aes_ccm_16, suite_encrypts}
#define SUITE_CCM_8_IIV [IPSEC_NODE_CCM_8_IIV] = {&wm_ipsec_aes_ccm_8_iiv, suite_encrypts}
#define SUITE_SHA1 [IPSEC_NODE_HMAC_SHA1_96] = {&wm_ipsec_hmac_sha1_96, suite_hmac}
#define SUITE_SHA256 [IPSEC_NODE_HMAC_SHA256_128] = {&wm_ipsec_hmac_sha256_128, suite_hmac}
#define SUITE_XCBC [IPSEC_NODE_XCBC_96] = {&wm_ipsec_aes_xcbc_96, suite_xcbc}
#define SUITE_CMAC [IPSEC_NODE_CMAC_96] = {&wm_ipsec_aes_cmac_96, suite_cmac}
/** @} */

#endif
