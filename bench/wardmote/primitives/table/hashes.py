# SPDX-License-Identifier: BSD-3-Clause
"""Hashes."""

from wardmote.primitives.entry import Operation, Primitive, out, record
from wardmote.primitives.table.parts import init


def hashes() -> list[Primitive]:
    """Init, update with the message in one piece, final; and the three in one call."""
    printed = {"blake2s": "blake2s", "sha3_256": "keccak"}
    entries = []
    for name, digest in (("sha1", 20), ("sha256", 32), ("blake2s", 32), ("sha3_256", 32), ("ascon_hash256", 32)):
        headers = {"ascon_hash256": (name, "ascon"), "sha1": (name, "md64"), "sha256": (name, "md64")}.get(
            name, (name,)
        )
        begin = "wm_blake2s_init context 32 0 0" if name == "blake2s" else f"wm_{name}_init context"
        p = printed.get(name)
        entries.append(
            Primitive(
                name,
                "",
                headers,
                "hashes",
                {"context": record(f"wm_{name}"), "digest": out(digest)},
                (
                    init(begin),
                    Operation("update", (f"wm_{name}_update context m m.len",)),
                    Operation("final", (f"wm_{name}_final context digest",)),
                    Operation("digest", (f"wm_{name}_digest m m.len digest",)),
                ),
                published={n: f"hash_{n}_ms.{p}" for n in ("init", "update", "final", "digest")} if p else {},
            )
        )
    return entries
