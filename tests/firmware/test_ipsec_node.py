# SPDX-License-Identifier: BSD-3-Clause
"""Image `ipsec-node`: UDP and pings to a host that the tests' models make, in clear and under every
suite, over hops, under link security; what it refuses gets no answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.firmware.ipsec_mote import (
    BYPASS,
    ECHO,
    HOST,
    IN,
    KINDS,
    MS,
    OUT,
    ROUTER,
    Motes,
    address,
    echo_request,
    headers,
    sa_of,
    setup,
    short,
)
from tests.model import ipsec_model, ipv6_model
from tests.model.ipsec_model import AHS, ESPS, INTEGRITY, Sa, Suite, secured
from wardmote.units import PS_PER_S

XCBC = Suite("", "aes_xcbc_96")
CTR = Suite("aes_ctr", "aes_xcbc_96")
CCM = Suite("aes_ccm_8")
PS_PER_US = PS_PER_S // 1_000_000
RUNNING, STOPPED = 1, 2
AT_BLOCK, AT_STORE, AT_SAS = 1, 3, 4
SECURE = 5
"""Phase of the report."""
TICK_CYCLES = headers().constants["IPSEC_NODE_TICK_CYCLES"]
SECURED_TICKS = 200
"""Of that phase: an answer was secured."""
PORT = 0xF0B0
boards = pytest.mark.parametrize("board", KINDS)


def octets(start: int, count: int) -> bytes:
    """Octets that are no others'."""
    return bytes((start + n) & 0xFF for n in range(count))


def sa(suite: Suite, spi: int) -> Sa:
    """A SA with keys of its own."""
    key = octets(spi, 16) if suite.encryption not in {"", "null"} else b""
    code = octets(spi + 64, INTEGRITY[suite.integrity].key_octets) if suite.integrity else b""
    return Sa(suite, spi, key, octets(spi + 128, 4), code)


def image_of(suite: Suite) -> str:
    """The TelosB's image that has a suite."""
    if suite.encryption == "aes_cbc":
        return "ipsec-node-cbc-sha1" if "sha1" in suite.integrity else "ipsec-node-cbc"
    codes = {"hmac_sha1_96": "sha1", "hmac_sha256_128": "sha256"}
    return f"ipsec-node-{codes.get(suite.integrity, 'aes')}"


def answer(data: bytes, number: int = 1, hops: int = 64) -> bytes:
    """What the echo server sends, before it is secured."""
    src = address(number)
    return ipsec_model.ipv6(
        src, HOST, 17, ipsec_model.udp(src, HOST, (ECHO, PORT), data), hops=hops
    )


def ping(number: int, src: bytes = HOST, dst: bytes = b"", kind: int = 128) -> bytes:
    """An echo request to a mote, or the reply."""
    dst = dst or address(number)
    message = bytes([kind, 0, 0, 0]) + b"\x12\x34\x00\x01" + b"0123456789"
    checksum = ipv6_model.checksum(src, dst, 58, message)
    message = message[:2] + checksum.to_bytes(2, "big") + message[4:]
    return ipsec_model.ipv6(src, dst, 58, message)


def mote_under(suite: Suite, board: str = "telosb", **values: Any) -> tuple[Motes, Sa, Sa]:
    """A mote whose packets from and to the host are protected, and its SAs in and out."""
    came, goes = sa(suite, 1), sa(suite, 1)
    goes = replace(goes, spi=2, salt=octets(7, 4))
    if suite.integrity == "hmac_sha256_128":
        values["ah_len"] = 6
    sas = [sa_of(IN, came), sa_of(OUT, goes)]
    image = image_of(suite) if board == "telosb" else ""
    return Motes(setup(1, sas, **values), board=board, image=image), came, goes


def errors_of(packets: list[bytes]) -> list[tuple[int, int, int]]:
    """Type, code and value of ICMPv6 errors, whose checksums are right."""
    for packet in packets:
        assert packet[6] == 58
        assert ipv6_model.checksum(packet[8:24], packet[24:40], 58, packet[40:]) == 0
    return [(p[40], p[41], int.from_bytes(p[44:48], "big")) for p in packets]


@boards
def test_in_clear(board: str) -> None:
    """Both ports and a ping are answered, in one frame and in fragments, by images with IPsec and
    without."""
    for image in ("ipsec-node-none", ""):
        motes = Motes(setup(1), board=board, image=image)
        for length in (0, 9, 300, 1200):
            data = octets(length, length)
            assert motes.host.ask(short(1), echo_request(1, data)) == [answer(data)], length
        assert motes.host.ask(short(1), ping(1)) == [ping(1, address(1), HOST, kind=129)]
        other = echo_request(1, b"seven", 7)
        [packet] = motes.host.ask(short(1), other)
        assert packet[40:44] == (7).to_bytes(2, "big") + PORT.to_bytes(2, "big")
        report = motes.report()
        assert (report["packets_in"], report["packets_out"], report["unsent"]) == (6, 6, 0)
        assert motes.simulation.misuse(0) == []


@boards
@pytest.mark.parametrize("suite", [*AHS, *ESPS], ids=str)
def test_under_every_suite(suite: Suite, board: str) -> None:
    """A datagram that a peer made by the model is answered under the node's own SA, octet for octet
    as the model has it."""
    motes, came, goes = mote_under(suite, board)
    assert motes.report()["state"] == RUNNING
    for number, length in ((1, 9), (2, 200)):
        data = octets(number, length)
        packet = secured((came,), echo_request(1, data), number)
        assert motes.host.ask(short(1), packet) == [secured((goes,), answer(data), number)]


@boards
@pytest.mark.parametrize("suite", [XCBC, CTR, CCM, Suite("aes_cbc", "aes_xcbc_96")], ids=str)
def test_by_the_engine(suite: Suite, board: str) -> None:
    """The board's AES engine, which keeps two keys, gives the same packets in less time."""
    took = []
    for engine in (0, 1):
        motes, came, goes = mote_under(suite, board, engine=engine)
        data = octets(3, 100)
        packet = secured((came,), echo_request(1, data), 1)
        assert motes.host.ask(short(1), packet) == [secured((goes,), answer(data), 1)]
        took.append(motes.report()["ticks"][SECURE])
    assert board != "telosb" or took[1] < took[0]


FAILS_US, MOMENTS = {"openmote-cc2538": 8, "telosb": 300}, 24
"""How long the engine fails: less than two blocks take. At how many moments, one after another."""


@boards
@pytest.mark.parametrize("suite", [XCBC, CTR], ids=str)
def test_an_engine_that_fails_for_a_block(suite: Suite, board: str) -> None:
    """Whenever that is while an answer is secured, though the blocks behind it are right: the answer
    is right, or there is none. Another packet may be lost while the engine is set up anew; the one
    after it is answered."""
    data = octets(3, 60)
    requests = [secured((sa(suite, 1),), echo_request(1, data), number) for number in (1, 2, 3)]

    def asked() -> tuple[Motes, list[bytes]]:
        motes, _, goes = mote_under(suite, board, engine=1)
        motes.host.send(short(1), requests[0])
        return motes, [secured((goes,), answer(data), number) for number in (1, 2, 3)]

    motes, _ = asked()
    took, since = 0, motes.report()["ticks"][SECURE]
    while took < SECURED_TICKS:
        motes.simulation.run_until(motes.simulation.now_ps + FAILS_US[board] * PS_PER_US)
        took = motes.report()["ticks"][SECURE] - since
    end_ps = motes.simulation.now_ps
    long_ps = took * TICK_CYCLES * PS_PER_S // KINDS[board].clock_hz
    answers = set()
    for moment in range(MOMENTS):
        motes, right = asked()
        motes.simulation.run_until(end_ps - long_ps + long_ps * moment // MOMENTS)
        motes.simulation.break_engine(0, "echo")
        motes.simulation.run_until(motes.simulation.now_ps + FAILS_US[board] * PS_PER_US)
        motes.simulation.break_engine(0, None)
        motes.simulation.run_until(motes.simulation.now_ps + 400 * MS)
        found = motes.host.packets()
        assert found in ([], right[:1]), moment
        later = [motes.host.ask(short(1), request) for request in requests[1:]]
        assert later[1], moment
        assert all(packet in right for packets in later for packet in packets), moment
        answers.add(len(found))
    assert answers == {0, 1}


def test_ah_around_esp() -> None:
    """AH and ESP on one packet."""
    inner, outer = sa(CTR, 11), sa(XCBC, 21)
    inner_out, outer_out = sa(CTR, 12), sa(XCBC, 22)
    ways = ((IN, inner), (IN, outer), (OUT, inner_out), (OUT, outer_out))
    motes = Motes(setup(1, [sa_of(way, one) for way, one in ways]))
    packet = secured((inner, outer), echo_request(1, b"both"), 1)
    wanted = secured((inner_out, outer_out), answer(b"both"), 1)
    assert motes.host.ask(short(1), packet) == [wanted]


def test_sizes_on_the_air() -> None:
    """AH with the default SPI costs 16 octets in front of compressed UDP; ESP with CCM-8 costs 22 and
    its padding, and the UDP header that it hides from compression."""
    data = octets(0, 10)
    sizes = {}
    for suite in (None, XCBC, CCM):
        values: list[dict[str, Any]] = []
        came = sa(suite, 1) if suite else None
        if suite and came:
            goes = replace(sa(suite, 101), spi=1)
            values = [sa_of(IN, came), sa_of(OUT, goes)]
        motes = Motes(setup(1, values))
        packet = echo_request(1, data)
        assert motes.host.ask(short(1), secured((came,), packet, 1) if came else packet)
        [sizes[suite]] = motes.host.sizes
    hidden = 8 - 4  # UDP: 8 octets as they are, 4 compressed
    padding = -(8 + len(data) + 2) % 4
    assert sizes[XCBC] - sizes[None] == 16
    assert sizes[CCM] - sizes[None] == 22 + padding + hidden


def test_what_ipsec_refuses_gets_no_answer() -> None:
    """Replayed, changed in each region, of another SPI, or in clear: nothing comes back, and the next
    right packet is answered."""
    motes, came, goes = mote_under(XCBC)
    right = secured((came,), echo_request(1, b"data"), 1)
    assert motes.host.ask(short(1), right) == [secured((goes,), answer(b"data"), 1)]
    changed = secured((came,), echo_request(1, b"data"), 2)
    bad = [right, echo_request(1, b"data"), ping(1)]
    bad += [secured((replace(came, spi=99),), echo_request(1, b"data"), 2)]
    for place in (8, 23, 44, 51, 52, 63, 64, 70, 72, len(changed) - 1):
        flipped = bytearray(changed)
        flipped[place] ^= 1
        bad.append(bytes(flipped))
    for number, packet in enumerate(bad, 1):
        assert motes.host.ask(short(1), packet, 60) == []
        assert motes.report()["ipsec_refused"] == number
    assert motes.host.ask(short(1), changed) == [secured((goes,), answer(b"data"), 2)]


def test_errors() -> None:
    """A closed port, an unknown next header, an option that must be known: ICMPv6 says so. A wrong
    checksum, an error, a multicast destination: nothing does."""
    motes = Motes(setup(1), image="ipsec-node-none")
    to = address(1)

    def ask(protocol: int, payload: bytes, dst: bytes = to, src: bytes = HOST) -> list[Any]:
        return errors_of(
            motes.host.ask(short(1), ipsec_model.ipv6(src, dst, protocol, payload), 60)
        )

    closed = ipsec_model.udp(HOST, to, (PORT, 9), b"x")
    assert ask(17, closed) == [(1, 4, 0)]
    assert ask(132, bytes(16)) == [(4, 1, 6)]
    assert ask(60, bytes([17, 0, 0xC2, 2, 0, 0, 1, 0]) + closed) == [(4, 2, 42)]
    assert ask(60, bytes([17, 0, 0x42, 2, 0, 0, 1, 0]) + closed) == []
    assert ask(43, bytes([17, 0, 0, 1, 0, 0, 0, 0]) + closed) == [(4, 0, 42)]
    assert ask(17, closed[:-1] + b"y") == []
    assert ask(17, closed[:6] + bytes(2) + closed[8:]) == []
    everybody = bytes.fromhex("ff020000000000000000000000000001")
    assert ask(17, ipsec_model.udp(HOST, everybody, (PORT, 9), b"x"), everybody) == []
    assert ask(132, bytes(16), src=bytes(16)) == []
    error = ipsec_model.ipv6(HOST, to, 58, bytes([1, 4]) + bytes(14))
    assert motes.host.ask(short(1), error, 60) == []


def test_echo_servers_do_not_answer_each_other() -> None:
    """A datagram from the port of an echo server would be answered by it again: without an end, if
    somebody pretends that one mote's server asked the other's. Nor has port 0 an answer."""
    motes = Motes(setup(1), image="ipsec-node-none")
    to = address(1)
    for server, quiet in ((ECHO, True), (7, True), (0, True), (PORT, False)):
        for port in (ECHO, 7):
            asked = ipsec_model.udp(HOST, to, (server, port), b"again")
            got = motes.host.ask(short(1), ipsec_model.ipv6(HOST, to, 17, asked), 60)
            assert len(got) == (not quiet), (server, port)


def test_a_frame_to_all_has_no_answer_of_each() -> None:
    """A packet for one node in it is neither answered nor passed on; and no answer goes to all."""
    motes = Motes(setup(1), image="ipsec-node-none")
    everybody = 0xFFFF
    for packet in (echo_request(1, b"all"), echo_request(2, b"far"), ping(1)):
        assert motes.host.ask(everybody, packet, 100) == []
    assert motes.report()["forwarded"] == 0
    to_all = bytes.fromhex("ff020000000000000000000000000001")
    assert len(motes.host.ask(everybody, ping(1, dst=to_all), 100)) == 1
    local = bytes.fromhex("fe80000000000000000000fffe00")
    before = motes.report()["packets_out"]
    source, own = local + b"\xff\xff", local + short(1).to_bytes(2, "big")
    assert motes.host.ask(short(1), ping(1, source, own), 100) == []
    assert motes.report()["packets_out"] == before


def hop(
    number: int, of: int, sas: list[dict[str, Any]] | None = None, **values: Any
) -> dict[str, Any]:
    """A mote of a chain: those with greater numbers are further from the host."""
    down = [
        {"to": address(n), "prefix": 128, "next": short(number + 1)}
        for n in range(number + 1, of + 1)
    ]
    routes = [{"prefix": 0, "next": short(number - 1) if number > 1 else ROUTER}, *down]
    return setup(number, sas or (), route=routes, routes=len(routes), **values)


def test_over_hops() -> None:
    """Through three relays, protected end to end, in one frame and in fragments; the hop limit falls
    at each. One that is used up is answered by the relay where it is."""
    came, goes = sa(CTR, 31), sa(CTR, 32)
    sas = [sa_of(IN, came), sa_of(OUT, goes)]
    motes = Motes(hop(1, 4), hop(2, 4), hop(3, 4), hop(4, 4, sas))
    for number, length in ((1, 9), (2, 300)):
        data = octets(number, length)
        packet = secured((came,), echo_request(4, data), number)
        wanted = secured((goes,), answer(data, 4, hops=64), number)
        wanted = wanted[:7] + bytes([61]) + wanted[8:]
        assert motes.host.ask(short(1), packet, 900) == [wanted]
    assert [motes.report(n)["forwarded"] for n in range(4)] == [4, 4, 4, 0]
    short_lived = bytearray(echo_request(4, b"x"))
    short_lived[7] = 2
    [error] = motes.host.ask(short(1), bytes(short_lived))
    assert errors_of([error]) == [(3, 0, 0)]
    assert error[8:24] == address(2)


@pytest.mark.parametrize("level", [1, 3, 5, 7])
def test_link_security_between_motes(level: int) -> None:
    """Two motes exchange datagrams in secured frames; one with another key, or in clear, is not
    heard. No frame shows its octets where they are encrypted."""
    link: dict[str, Any] = {"link_level": level, "link_key": octets(0, 16)}
    client: dict[str, Any] = {
        "client_ms": 100,
        "client_octets": 200,
        "client_port": ECHO,
        "client_to": address(2),
    }
    first = hop(1, 2, neighbours=1, neighbour=[short(2)], **link, **client)
    second = hop(2, 2, neighbours=1, neighbour=[short(1)], **link)
    motes = Motes(first, second)
    motes.simulation.run_until(2 * 10**12)
    report = motes.report()
    assert report["answers"] >= 10
    assert report["asked"] - report["answers"] <= 1
    assert (report["answers_wrong"], report["frames_refused"]) == (0, 0)
    stranger = Motes(first, second | {"link_key": octets(1, 16)})
    stranger.simulation.run_until(10**12)
    assert (stranger.report()["answers"], stranger.report(1)["packets_in"]) == (0, 0)
    assert stranger.report(1)["frames_refused"] > 0
    motes.host.send(short(1), echo_request(1, b"clear"))
    motes.simulation.run_until(motes.simulation.now_ps + 10**11)
    assert motes.report()["frames_refused"] == 1


@boards
def test_sequence_numbers_outlive_a_reboot(board: str) -> None:
    """After a power cut the node's numbers go on, and what it accepted before is refused."""
    motes, came, goes = mote_under(XCBC, board)
    packet = secured((came,), echo_request(1, b"before"), 1)
    assert motes.host.ask(short(1), packet) == [secured((goes,), answer(b"before"), 1)]
    kind = KINDS[board]
    store = motes.simulation.read(0, kind.store.at, kind.store.octets)
    values = setup(1, [sa_of(IN, came), sa_of(OUT, goes)])
    again = Motes(values, board=board, store=bytes(store))
    assert again.host.ask(short(1), packet, 60) == []
    later = secured((came,), echo_request(1, b"after"), 1000)
    [got] = again.host.ask(short(1), later)
    number = int.from_bytes(got[48:52], "big")
    assert number > 1
    assert got == secured((goes,), answer(b"after"), number)


def tags(motes: Motes) -> list[int]:
    """Of the first fragments that a mote has sent to the host."""
    mine = (mpdu[9:] for _, _, _, mpdu, _ in motes.simulation.frames() if mpdu[5:7] == b"\1\0")
    return [int.from_bytes(one[2:4], "big") for one in mine if one[:1] and one[0] >> 3 == 0b11000]


@boards
def test_tags_go_on_behind_a_reboot(board: str) -> None:
    """A fragment from before a power cut never fits a packet of afterwards: not one tag comes again,
    where a SA or link security counts. A node in clear has nothing that outlives the cut."""
    came = sa(XCBC, 1)
    goes = replace(came, spi=2)
    values = setup(1, [sa_of(IN, came), sa_of(OUT, goes)])
    kind, store, seen = KINDS[board], b"", []
    for boot in range(3):
        motes = Motes(values, board=board, store=store)
        motes.simulation.capture()
        for number in (1, 2):
            asked = secured((came,), echo_request(1, octets(number, 200)), 1000 * boot + number)
            assert len(motes.host.ask(short(1), asked)) == 1
        seen += tags(motes)
        store = bytes(motes.simulation.read(0, kind.store.at, kind.store.octets))
    assert len(seen) == len(set(seen)) == 6, seen
    assert seen == sorted(seen), seen


IMPOSSIBLE = {
    AT_BLOCK: "magic=0 channel=10 channel=27 seed=0 address=65535 routes=7 layout=3 neighbours=4 "
    "link_level=4 link_level=8",
    AT_SAS: "sas=5 policies=5",
}


@pytest.mark.parametrize(
    ("why", "change"), [(why, text) for why, texts in IMPOSSIBLE.items() for text in texts.split()]
)
def test_blocks_that_cannot_be(change: str, why: int) -> None:
    """The node stops, and says at which step."""
    name, _, value = change.partition("=")
    sas = [sa_of(IN, sa(XCBC, 1)), sa_of(OUT, sa(XCBC, 2))]
    report = Motes(setup(1, sas) | {name: int(value)}).report()
    assert (report["state"], report["why"]) == (STOPPED, why)


def test_sas_that_cannot_be() -> None:
    """A suite that the image does not have, one without integrity, no store, half a store."""
    one = sa_of(IN, sa(XCBC, 1))
    for change in (
        {"integrity": 1},
        {"encryption": 2},
        {"integrity": 5},
        {"direction": 0},
        {"spi": 0},
    ):
        report = Motes(setup(1, [one | change])).report()
        assert (report["state"], report["why"]) == (STOPPED, AT_SAS), change
    bare = sa_of(IN, sa(Suite("aes_ctr"), 1))
    assert Motes(setup(1, [bare])).report()["why"] == AT_SAS
    assert Motes(setup(1, [bare], study=1)).report()["state"] == RUNNING
    for store in (b"\xff" * 256, bytes(256)):
        report = Motes(setup(1, [one]), store=store).report()
        assert (report["state"], report["why"]) == (STOPPED, AT_STORE)
    nothing = Motes(setup(1, policies=0))
    assert nothing.host.ask(short(1), echo_request(1, b"x"), 60) == []
    assert Motes(setup(1, policy=[{"action": BYPASS}])).report()["state"] == RUNNING
