# SPDX-License-Identifier: BSD-3-Clause
"""A program of its own: reads a list of packets, each with its SA, and writes what scapy makes of
them.

Standard input has a list of objects with `protocol` (`ah`, `esp`), `spi`, `encryption`, `integrity`
(scapy's names), `key`, `integrityKey`, `icv` (octets of a combined mode's), `clear` and `packet`;
`iv`, if scapy is not to draw one.
Standard output has a list of objects: `opened`, what scapy takes out of `packet`, or the reason why
not; `sealed`, what it makes of `clear`.
"""

import json
import sys
from typing import Any

from scapy.layers.inet6 import IPv6
from scapy.layers.ipsec import AH, ESP, SecurityAssociation


def association(case: dict[str, Any]) -> Any:
    """The SA of a case."""
    options: dict[str, Any] = {}
    if case["encryption"]:
        options |= {
            "crypt_algo": case["encryption"],
            "crypt_key": bytes.fromhex(case["key"]),
            "crypt_icv_size": case["icv"] or None,
        }
    if case["integrity"]:
        integrity_key = bytes.fromhex(case["integrityKey"])
        options |= {"auth_algo": case["integrity"], "auth_key": integrity_key}
    protocol = AH if case["protocol"] == "ah" else ESP
    options |= {"spi": case["spi"], "seq_num": case["sequence"]}
    return SecurityAssociation(protocol, **options)  # type: ignore[no-untyped-call]


def main() -> None:
    """Every case both ways."""
    out = []
    for case in json.load(sys.stdin):
        given = {"iv": bytes.fromhex(case["iv"])} if "iv" in case else {}
        sealed = association(case).encrypt(IPv6(bytes.fromhex(case["clear"])), **given)
        try:
            opened = association(case).decrypt(IPv6(bytes.fromhex(case["packet"])))
            answer = bytes(opened).hex()
        except Exception as error:  # whatever scapy refuses with
            answer = f"{type(error).__name__}: {error}"
        out.append({"opened": answer, "sealed": bytes(sealed).hex()})
    json.dump(out, sys.stdout)


if __name__ == "__main__":
    main()
