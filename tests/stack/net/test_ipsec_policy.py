# SPDX-License-Identifier: BSD-3-Clause
"""Policies and tables of IPsec: what goes in clear, what is discarded, and what is not let in."""

from __future__ import annotations

from typing import Any

from tests.model.ipsec_model import (
    DESTINATION,
    FRAGMENT,
    ICMPV6,
    STUDY,
    UDP,
    Suite,
    esp,
    ipv6,
    secured,
    udp,
)
from tests.stack.link.linklib import name_of
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import BYPASS, DISCARD, GROUP, IN, OUT, PROTECT, Node, node, sas_of
from tests.vectors import load, named
from vectors.generate_ipsec import OURS, PEER, sa_of
from vectors.generate_ipsec import clear as clear_of
from wardmote.call import Target

HEADERS = ipseclib.HEADERS
CBC, CTR = (Suite(f"aes_{mode}", "aes_xcbc_96") for mode in ("cbc", "ctr"))
NULL, AH, CCM = Suite("null", "hmac_sha1_96"), Suite("", "aes_cmac_96"), Suite("aes_ccm_8")
IPV4, IPV6 = 4, 41


def turned(packet: bytes) -> bytes:
    """The packet with source and destination exchanged."""
    return packet[:8] + packet[24:40] + packet[8:24] + packet[40:]


def test_discovery_goes_in_clear(few: Target) -> None:
    """Where a policy lets it, and only with its types; with headers in front too."""
    receiver = node(few, IN, sas_of(load("ipsec", "ipsec")[0]))
    solicitation = bytes([135]) + bytes(23)
    for kind in (132, 133, 136, 137):
        octets = bytes([kind]) + solicitation[1:]
        packet = ipv6(PEER, OURS, ICMPV6, octets)
        clear = 133 <= kind <= 136
        want = ("WM_NOT_SECURED", packet) if clear else ("WM_ERR_IMPROPER_SECURITY_LEVEL", b"")
        assert receiver.unsecure(packet) == want
    packet = ipv6(PEER, OURS, DESTINATION, bytes([ICMPV6, 0, 1, 4, 0, 0, 0, 0]) + solicitation)
    assert receiver.unsecure(packet + b"behind") == ("WM_NOT_SECURED", packet)
    assert receiver.secure(turned(packet)) == ("WM_NOT_SECURED", turned(packet))


def test_ports_and_prefixes(few: Target) -> None:
    """The first policy that names a packet counts, in both directions."""
    sa = sas_of(load("ipsec", "ipsec")[0])[0]
    whole = {"remote": PEER, "prefix": 128}
    policies = [
        whole | {"protocol": UDP, "local_port": 7, "action": PROTECT, "ah": GROUP},
        whole | {"protocol": UDP, "remote_port": 53, "action": DISCARD},
        {"remote": PEER, "prefix": 121, "protocol": UDP, "action": BYPASS},
    ]
    made = Node(few, [(IN, sa)], policies=policies)
    assert made.started == "WM_OK"
    near, far = PEER[:-1] + bytes([PEER[-1] ^ 0x40]), PEER[:-1] + bytes([PEER[-1] ^ 0x80])
    improper, discarded = "WM_ERR_IMPROPER_SECURITY_LEVEL", "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"
    for remote, ports, received, sent in (
        (PEER, (9, 7), improper, "WM_ERR_UNAVAILABLE_KEY"),
        (PEER, (53, 9), discarded, discarded),
        (PEER, (9, 9), "WM_NOT_SECURED", "WM_NOT_SECURED"),
        (near, (9, 7), "WM_NOT_SECURED", "WM_NOT_SECURED"),
        (far, (9, 7), discarded, discarded),
    ):
        packet = ipv6(remote, OURS, UDP, udp(remote, OURS, ports, b"ports"))
        assert made.unsecure(packet)[0] == received
        back = ipv6(OURS, remote, UDP, udp(OURS, remote, ports[::-1], b"ports"))
        assert made.secure(back) == (sent, back)


def test_zeros_allow_nothing(few: Target) -> None:
    """A node, a SA and a policy that are all zero; a node that was not started."""
    vector = load("ipsec", "ipsec")[0]
    packet, clear = vector.octets("packet"), vector.octets("clear")
    made = Node(few, [(IN, sas_of(vector)[0])], policies=[])
    refused = "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"
    assert [made.unsecure(clear)[0], made.unsecure(packet)[0]] == [refused] * 2
    assert made.secure(clear) == (refused, clear)
    made = Node(few, [(IN, sas_of(vector)[0])], policies=[{}])
    assert [made.unsecure(clear)[0], made.secure(clear)[0]] == [refused] * 2
    made.tables[IN].write(bytes(len(made.tables[IN].read())))
    assert made.start() == "WM_OK"
    assert made.unsecure(packet)[0] == "WM_ERR_UNAVAILABLE_KEY"
    made.ipsec.write(bytes(len(made.ipsec.read())))
    assert [made.unsecure(clear)[0], made.secure(clear)[0]] == ["WM_ERR_STATE"] * 2


BAD_SAS: dict[str, tuple[dict[str, Any], str]] = {
    "no SPI": ({"spi": 0}, "WM_ERR_PARAM"),
    "no group": ({"group": 0}, "WM_ERR_PARAM"),
    "no integrity": ({"integrity": 0}, "WM_ERR_PARAM"),
    "no integrity key": ({"integrity_key": {"octets": 0}}, "WM_ERR_PARAM"),
    "no cipher": ({"cipher": 0}, "WM_ERR_PARAM"),
    "ESP without encryption": ({"encryption": 0}, "WM_ERR_PARAM"),
    "no counter": ({"counter": 0}, "WM_ERR_NO_STORE"),
    "SPI twice": ({"spi": 2}, "WM_ERR_PARAM"),
}


def test_bad_sas(few: Target) -> None:
    """The node does not start, and takes nothing."""
    for what in BAD_SAS:
        with named(what):
            check_bad_sa(few, what)


def check_bad_sa(few: Target, what: str) -> None:
    """In the table, and as new keys."""
    sas = [(IN, sa_of(CBC, spi, f"{spi}")) for spi in (1, 2)]
    made = Node(few, sas)
    assert made.started == "WM_OK"
    change, status = BAD_SAS[what]
    before = made.tables[IN].read()
    made.change(IN, 0, **change)
    assert made.start() == status
    packet = esp(sas[0][1], clear_of(9), 1)
    assert made.unsecure(packet)[0] == "WM_ERR_STATE"
    given = made.tables[IN].read()[: len(before) // 2]
    made.tables[IN].write(before)
    assert made.start() == "WM_OK"
    keys = few.call("wm_ipsec_change_keys", made.ipsec, made.tables[IN].address, given).value
    if "counter" not in change and "group" not in change:
        assert name_of(keys) == status
        assert made.unsecure(packet)[0] == "WM_OK", "the old keys hold"


def test_keys_and_algorithms_that_do_not_belong_together(few: Target) -> None:
    """One key twice with one salt, AH that encrypts, two ICVs, a key that only encrypts or was not
    made, no ICV without the profile."""
    one, other = sa_of(CTR, 1), sa_of(CTR, 2, "other")
    made = Node(few, [(IN, one), (OUT, other)])
    for salt, status in ((one.salt, "WM_ERR_PARAM"), (b"salt", "WM_OK")):
        made.change(OUT, 0, cipher=made.sa(IN)["cipher"], salt=salt)
        assert made.start() == status
    address = few.address_of
    made.change(IN, 0, protocol=address("wm_ipsec_ah"))
    assert made.start() == "WM_ERR_PARAM"
    made.change(IN, 0, protocol=address("wm_ipsec_esp"), encryption=address("wm_ipsec_aes_ccm_8"))
    assert made.start() == "WM_ERR_PARAM"
    made = Node(few, [(IN, sa_of(CBC, 1))], cipher="small")
    assert made.started == "WM_ERR_PARAM"
    blank = few.buffer(few.pack("wm_aes128_tab_both_key"))
    made.change(IN, 0, cipher=blank.address)
    assert made.start() == "WM_ERR_STATE"
    for suite in STUDY:
        for profile, status in ((0, "WM_ERR_PARAM"), (1, "WM_OK")):
            assert Node(few, [(IN, sa_of(suite, 1))], {"profile": profile}).started == status


def test_a_counter_that_is_not_open(few: Target) -> None:
    """Nothing is sent or taken, and a counter of zeros is none."""
    made = Node(few, [(IN, sa_of(CTR, 1)), (OUT, sa_of(CTR, 2))])
    made.store.write(bytes(len(made.store.read())))
    assert made.start() == "WM_OK"
    clear = turned(clear_of(9))
    assert made.secure(clear) == ("WM_ERR_COUNTER", clear)
    assert made.unsecure(esp(sa_of(CTR, 1), clear_of(9), 1))[0] == "WM_ERR_COUNTER"
    made.counters[1].write(bytes(len(made.counters[1].read())))
    assert made.start() == "WM_ERR_NO_STORE"


def test_what_was_sent_does_not_come_back(few: Target) -> None:
    """An ICV of ESP covers neither salt nor addresses. One integrity key in both directions needs two
    SPIs; then our own packet with its addresses exchanged is refused."""
    for suite, protocol in ((CBC, "esp"), (NULL, "esp"), (AH, "ah")):
        one, other = sa_of(suite, 1), sa_of(suite, 1, "other")
        whole = {"remote": PEER, "prefix": 128, "action": PROTECT, protocol: GROUP}
        made = Node(few, [(IN, one), (OUT, other)], policies=[whole])
        assert made.started == "WM_OK"
        before = made.tables[OUT].read()
        key = made.sa(IN)["integrity_key"]
        made.change(OUT, 0, integrity_key=key, spi=2, salt=b"new!")
        given = made.tables[OUT].read()
        assert made.start() == "WM_OK"
        status, packet = made.secure(turned(clear_of(9)))
        assert status == "WM_OK"
        assert made.unsecure(turned(packet))[0] == "WM_ERR_UNAVAILABLE_KEY"
        made.change(OUT, 0, spi=1)
        assert made.start() == "WM_ERR_PARAM"
        same = made.tables[OUT].read()
        made.tables[OUT].write(before)
        assert made.start() == "WM_OK"
        for keys, status in ((same, "WM_ERR_PARAM"), (given, "WM_OK")):
            changed = few.call("wm_ipsec_change_keys", made.ipsec, made.tables[OUT].address, keys)
            assert name_of(changed.value) == status


def test_one_key_under_two_algorithms(few: Target) -> None:
    """CTR with a salt of 3, a, b, c and CCM with a salt of a, b, c make the same blocks."""
    ctr, ccm = sa_of(CTR, 1), sa_of(CCM, 2, "other")
    made = Node(few, [(OUT, ctr), (OUT, ccm)])
    assert made.started == "WM_OK"
    for name, salt in (("aes_ctr", b"\3abc"), ("aes_ccm_16", b"xyz\0")):
        members = {"encryption": few.address_of(f"wm_ipsec_{name}"), "salt": salt}
        if name != "aes_ctr":
            members |= {"integrity": 0, "integrity_key": {"octets": 0}}
        made.change(OUT, 0, **members)
        assert made.start() == "WM_OK"
        own = made.sa(OUT, 1)["cipher"]
        made.change(OUT, 1, cipher=made.sa(OUT)["cipher"], salt=b"abc\0")
        assert made.start() == "WM_ERR_PARAM"
        made.change(OUT, 1, cipher=own)


def test_integrity_keys_that_were_not_made(few: Target) -> None:
    """The node does not start; if the key was wiped afterwards, the packet is as it was and no sequence
    number is used."""
    for code, size in (("xcbc", "wm_xcbc_mac_key"), ("cmac", "wm_cmac_key")):
        suite = Suite("", f"aes_{code}_96")
        whole = {"remote": PEER, "prefix": 128, "action": PROTECT, "ah": GROUP}
        made = Node(few, [(IN, sa_of(suite, 1)), (OUT, sa_of(suite, 2))], policies=[whole])
        assert made.started == "WM_OK"
        blank = few.buffer(bytes(len(few.pack(size))))
        for way in (IN, OUT):
            before = made.tables[way].read()
            made.change(way, 0, integrity_key={"octets": blank.address})
            clear = turned(clear_of(9))
            if way == OUT:
                assert made.secure(clear) == ("WM_ERR_STATE", clear)
                assert made.sa(OUT)["sequence"] == 0
            else:
                packet = secured((sa_of(suite, 1),), clear_of(9), 1)
                assert made.unsecure(packet)[0] == "WM_ERR_STATE"
            assert made.start() == "WM_ERR_STATE"
            made.tables[way].write(before)
            assert made.start() == "WM_OK"


BAD_POLICIES: dict[str, dict[str, Any]] = {
    "an unknown action": {"action": 3},
    "a prefix of 129": {"prefix": 129, "action": BYPASS},
    "protects a prefix": {"prefix": 127},
    "protects a group": {"remote": b"\xff\x02" + bytes(14)},
    "protects with nothing": {"ah": 0},
}


def test_bad_policies(few: Target) -> None:
    """The node does not start."""
    whole = {"remote": PEER, "prefix": 128, "action": PROTECT, "ah": GROUP}
    assert Node(few, [], policies=[whole]).started == "WM_OK"
    for what, change in BAD_POLICIES.items():
        assert Node(few, [], policies=[whole | change]).started == "WM_ERR_PARAM", what


def test_what_is_not_sent(few: Target) -> None:
    """Packets that are secured already, or are none, leave the node neither secured nor in clear."""
    made = Node(few, [(OUT, sa_of(CTR, 1))])
    whole = turned(clear_of(9))
    for packet in (
        turned(secured((sa_of(CTR, 1),), clear_of(9), 1)),
        whole[:39],
        whole[:-1],
        b"\x40" + whole[1:],
        ipv6(OURS, PEER, FRAGMENT, bytes([UDP]) + bytes(20)),
        ipv6(OURS, PEER, UDP, bytes(3)),
        ipv6(OURS, PEER, IPV6, whole),
        ipv6(OURS, PEER, DESTINATION, bytes([IPV4, 0, 1, 4, 0, 0, 0, 0]) + bytes(20)),
    ):
        assert made.secure(packet) == ("WM_ERR_MALFORMED", packet)
    assert made.sa(OUT)["sequence"] == 0
    for number in (IPV4, IPV6):
        receiver = node(few, IN, [sa_of(CTR, 1)])
        tunnel = secured((sa_of(CTR, 1),), ipv6(PEER, OURS, number, clear_of(9)), 1)
        assert receiver.unsecure(tunnel)[0] == "WM_ERR_MALFORMED"
    made = Node(few, [(OUT, sa_of(CTR, 1))])
    longest = ipv6(OURS, PEER, UDP, bytes(560))
    assert made.secure(longest, 620)[0] == "WM_ERR_FRAME_TOO_LONG"
    assert made.secure(longest, 660)[0] == "WM_OK"
