# SPDX-License-Identifier: BSD-3-Clause
"""What records of DTLS and messages of OSCORE add, computed from their formats: no code of ours makes
them, and nothing here was captured."""

from collections.abc import Mapping

DTLS_1_2 = {"type": 1, "version": 2, "epoch": 2, "sequence number": 6, "length": 2}
"""RFC 6347 §4.1."""
CCM_8_OF_1_2 = {"explicit nonce": 8, "tag": 8}
"""RFC 6655 §3."""
UNIFIED = {"first octet": 1}
"""RFC 9147 §4. Connection ID, length and the upper octet of the number may be left out."""
INNER = {"inner type": 1}
"""RFC 8446 §5.2; RFC 9146 §4 the same in DTLS 1.2 with a connection ID."""
OPTION = {"option": 1}
"""RFC 8613 §6.1: delta and length of OSCORE's option."""
BEHIND = {"payload marker": 1, "inner code": 1, "tag": 8}
"""RFC 8613 §5.3, §5.4: the marker of the outer message, since the inner one has its own."""
RECORDS: Mapping[str, Mapping[str, int]] = {
    "DTLS 1.2, CCM-8": DTLS_1_2 | CCM_8_OF_1_2,
    "DTLS 1.2, CCM-8, connection ID of 1": DTLS_1_2 | {"connection ID": 1} | INNER | CCM_8_OF_1_2,
    "DTLS 1.3, CCM-8, shortest": UNIFIED | {"sequence number": 1} | INNER | {"tag": 8},
    "DTLS 1.3, CCM, length": UNIFIED | {"sequence number": 2, "length": 2} | INNER | {"tag": 16},
    "OSCORE request": OPTION | {"flags": 1, "partial IV": 1, "kid": 1} | BEHIND,
    "OSCORE response": OPTION | BEHIND,
}
"""Fields and their octets."""
