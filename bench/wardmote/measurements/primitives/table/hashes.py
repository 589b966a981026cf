# SPDX-License-Identifier: BSD-3-Clause
"""Hashes."""

from wardmote.linked import Form
from wardmote.measurements.primitives.entry import Operation, Primitive, out, record
from wardmote.measurements.primitives.table.parts import SMALL_TOO, init

HASHES = (("sha1", 20), ("sha256", 32), ("blake2s", 32), ("sha3_256", 32), ("ascon_hash256", 32))
"""Names and octets of their digests."""
PRINTED = {"blake2s": "blake2s", "sha3_256": "keccak"}


def hash_function(name: str, digest: int, variant: str, form: Form) -> Primitive:
    """Init, update with the message in one piece, final; and the three in one call."""
    headers = {
        "ascon_hash256": (name, "ascon"),
        "sha3_256": (name, "keccak"),
        "sha1": (name, "md64"),
        "sha256": (name, "md64"),
    }.get(name, (name,))
    begin = "wm_blake2s_init context 32 0 0" if name == "blake2s" else f"wm_{name}_init context"
    printed = "" if variant else PRINTED.get(name, "")
    return Primitive(
        name,
        variant,
        headers,
        {"context": record(f"wm_{name}"), "digest": out(digest)},
        (
            init(begin),
            Operation("update", (f"wm_{name}_update context m m.len",)),
            Operation("final", (f"wm_{name}_final context digest",)),
            Operation("digest", (f"wm_{name}_digest m m.len digest",)),
        ),
        form,
        published={n: f"hash_{n}_ms.{printed}" for n in ("init", "update", "final", "digest")}
        if printed
        else {},
    )


def entries() -> list[Primitive]:
    """Every hash, and its small form after it."""
    return [
        hash_function(name, digest, variant, form)
        for name, digest in HASHES
        for variant, form in SMALL_TOO
    ]
