# SPDX-License-Identifier: BSD-3-Clause
"""IPsec secures and unsecures a packet in the same cycles and along the same path, whatever keys and
payload are. With `fix` under it, it uses the same addresses too. The binaries are those that firmware
links."""

from __future__ import annotations

from random import Random

import pytest

from tests.model.ipsec_model import AHS, ENCRYPTION, ESPS, INTEGRITY, UDP, Sa, Suite, ipv6, secured
from tests.stack.conftest import target_named
from tests.stack.link.linklib import name_of
from tests.stack.link.test_constant_time import Seen
from tests.stack.link.test_constant_time import seen as seen_of
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import GROUP, IN, OUT, PROTECT, Node
from tests.vectors import named
from vectors.generate_ipsec import OURS, PEER
from wardmote.call import EmulatedTarget
from wardmote.cpus import CPU_NAMES

HEADERS = tuple(name for name in ipseclib.HEADERS if name != "!fix")
SUITES = (*AHS, *ESPS)
RUNS = 5
OCTETS = 21
ROOM = 80


def packet_of(payload: bytes) -> bytes:
    """From one port to another. A policy reads the ports."""
    return ipv6(PEER, OURS, UDP, b"\x0f\xa0\0\x07\0\x1d\0\0" + payload)


def sa_with(suite: Suite, source: Random) -> Sa:
    """Keys are secret; salt, and the IV that follows from it, are not."""
    key = source.randbytes(ENCRYPTION[suite.encryption].key_octets if suite.encryption else 0)
    code = source.randbytes(INTEGRITY[suite.integrity].key_octets if suite.integrity else 0)
    return Sa(suite, 1, key, b"salt", code)


def seen(target: EmulatedTarget, sa: Sa, direction: int, packet: bytes) -> tuple[str, Seen]:
    """What a node that was just started shows with its first packet."""
    remote = OURS if direction == OUT else PEER
    policy = {"remote": remote, "prefix": 128, "action": PROTECT}
    policy["ah" if sa.suite.is_ah else "esp"] = GROUP
    cipher = "small_both" if decrypts(sa.suite) else "fix"
    sas, codes = [(direction, sa)], "fix"
    node = Node(target, sas, policies=[policy], cipher=cipher, code_cipher=codes, slots=1)
    assert node.started == "WM_OK"
    octets = bytearray(packet.ljust(len(packet) + ROOM * (direction == OUT), b"\0"))
    length = bytearray(node.number(len(packet)))
    size = (len(octets),) if direction == OUT else ()
    function = "wm_ipsec_secure" if direction == OUT else "wm_ipsec_unsecure"
    done = target.call(function, node.ipsec, octets, *size, length, trace="hash")
    return name_of(done.value), seen_of(done)


def decrypts(suite: Suite) -> bool:
    """CBC takes the inverse cipher, which looks octets up in tables."""
    return suite.encryption == "aes_cbc"


@pytest.fixture(
    scope="module", params=[f"{cpu}{form}" for cpu in CPU_NAMES for form in ("", "-small")]
)
def emulated(request: pytest.FixtureRequest) -> EmulatedTarget:
    """What firmware links, for speed and for least flash."""
    target = target_named(request.param, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    return target


def example(suite: Suite, direction: int, source: Random) -> tuple[Sa, bytes]:
    """Keys and a packet that a node takes or sends."""
    sa, clear = sa_with(suite, source), packet_of(source.randbytes(OCTETS))
    return sa, secured((sa,), clear, 1) if direction == IN else clear


@pytest.mark.parametrize("direction", [IN, OUT], ids=["in", "out"])
def test_keys_and_payload_are_not_seen(emulated: EmulatedTarget, direction: int) -> None:
    """Whatever they are: one cycle count and one path, and one list of addresses but for CBC."""
    for suite in SUITES:
        with named(str(suite)):
            calls = []
            for run in range(RUNS):
                sa, packet = example(suite, direction, Random(run))
                calls.append(seen(emulated, sa, direction, packet))
            assert len({(status, call.cycles, call.path) for status, call in calls}) == 1
            assert calls[0][0] == "WM_OK"
            assert len({call.addresses for _, call in calls}) == 1 or decrypts(suite)


def test_where_an_icv_is_wrong_is_not_seen(emulated: EmulatedTarget) -> None:
    """One packet, wrong in each octet of its ICV in turn: all refusals look the same."""
    for suite in SUITES:
        with named(str(suite)):
            sa = sa_with(suite, Random(1))
            right = secured((sa,), packet_of(bytes(OCTETS)), 1)
            icv = (INTEGRITY[suite.integrity] if suite.integrity else sa.encryption).icv_octets
            end = 52 + icv if suite.is_ah else len(right)
            calls = set()
            for at in range(end - icv, end):
                wrong = bytearray(right)
                wrong[at] ^= 1 << at % 8
                calls.add(seen(emulated, sa, IN, bytes(wrong)))
            assert len(calls) == 1
            assert calls.pop()[0] == "WM_ERR_SECURITY"
