# SPDX-License-Identifier: BSD-3-Clause
"""The suites of IPsec, by the names that rows have."""

from collections.abc import Mapping
from typing import NamedTuple

AUTHENTICATION, ENCRYPTION, BOTH = "authentication", "encryption", "both"


class Suite(NamedTuple):
    """Algorithms of ESP and of AH, by the stack's names; empty where there is none."""

    encryption: str = ""
    integrity: str = ""
    """Of ESP; a combined mode has none."""
    ah: str = ""
    """Of AH, around ESP if there is some."""

    @property
    def service(self) -> str:
        """What it gives."""
        if self.encryption in ("", "null"):
            return AUTHENTICATION
        return ENCRYPTION if self.study else BOTH

    @property
    def study(self) -> bool:
        """Whether ESP has no ICV: a profile of the stack for measurements alone."""
        return self.encryption in ("aes_cbc", "aes_ctr") and not self.integrity


SHA1, XCBC, SHA256, CMAC = "hmac_sha1_96", "aes_xcbc_96", "hmac_sha256_128", "aes_cmac_96"
SUITES: Mapping[str, Suite] = {
    "AH SHA1": Suite(ah=SHA1),
    "AH XCBC": Suite(ah=XCBC),
    "AH SHA256": Suite(ah=SHA256),
    "AH CMAC": Suite(ah=CMAC),
    "ESP CBC": Suite("aes_cbc"),
    "ESP CTR": Suite("aes_ctr"),
    "ESP NULL+SHA1": Suite("null", SHA1),
    "ESP NULL+XCBC": Suite("null", XCBC),
    "ESP CBC+SHA1": Suite("aes_cbc", SHA1),
    "ESP CBC+XCBC": Suite("aes_cbc", XCBC),
    "ESP CTR+SHA1": Suite("aes_ctr", SHA1),
    "ESP CTR+XCBC": Suite("aes_ctr", XCBC),
    "ESP CCM-8": Suite("aes_ccm_8"),
    "ESP CCM-16": Suite("aes_ccm_16"),
    "ESP CCM-8, implicit IV": Suite("aes_ccm_8_iiv"),
    "AH XCBC, ESP CTR+XCBC": Suite("aes_ctr", XCBC, XCBC),
}
