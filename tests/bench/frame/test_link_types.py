# SPDX-License-Identifier: BSD-3-Clause
"""Captures of every link type, packed or not: what is found in them, what is written, what tshark
finds in the same."""

import gzip
import json
import struct
import subprocess
from pathlib import Path

import pytest

from tests.bench.frame.captures import (
    NO_FCS,
    TAP,
    WITH_FCS,
    block,
    frames,
    pcap,
    pcapng,
    records,
    tap,
)
from tests.bench.frame.command import run
from tests.bench.frame.link_types import (
    ETHERNET,
    LINKS,
    PHY,
    RAW,
    Link,
    capture_of,
    ethernet,
    ipv4,
    ipv6,
    phy,
    tap_full,
    tlv,
    udp,
    zep,
)
from tests.bench.frame.network import K2, KEY, data_frame, in_clear, on_air
from tests.bench.frame.test_tshark import Oracle
from tests.model.ieee802154_model import fcs, fcs32
from wardmote.errors import UsageError
from wardmote.frame import source

PAYLOADS = [bytes([0x17]) * n for n in (4, 15, 16, 17, 60, 89)]
SOME = [data_frame(payload, seq=i, counter=i) for i, payload in enumerate(PAYLOADS)]
SECURED = [on_air(frame) for frame in SOME]


def options(link: Link) -> tuple[str, ...]:
    """What the command has to be told of this link type."""
    return ("--fcs", link.fcs) if link.fcs else ()


def tshark_options(link: Link) -> tuple[str, ...]:
    """And tshark."""
    return ("-o", "wpan.fcs_format:ITU-T CRC-32") if link.fcs else ()


def fields(program: str, path: Path, key: bytes | None, *more: str) -> list[tuple[str, str]]:
    """Payload and complaints of each frame, from tshark."""
    command = [program, "-r", str(path), "-T", "fields", *more]
    if key is not None:
        command += ["-o", f'uat:ieee802154_keys:"{key.hex()}","2","No hash"']
    for name in ("data.data", "_ws.expert.message"):
        command += ["-e", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = []
    for line in done.stdout.splitlines():
        data, _, complaint = line.partition("\t")
        found.append((data, complaint))
    return found


@pytest.mark.parametrize("name", LINKS)
def test_every_link_type_opens(name: str) -> None:
    """Frames in records of each link type come out in clear. The link type stays, but out of
    packets it becomes TAP; FCS and length are right again."""
    link = LINKS[name]
    done = run("unsecure", "--key", KEY, *options(link), given=capture_of(link, SECURED))
    assert done.code == 0, done.err
    assert f"{len(SOME)} of {len(SOME)} frames unsecured" in done.err
    clear = [in_clear(frame) for frame in SOME]
    if link.in_packets:
        assert struct.unpack_from("<I", done.out, 20)[0] == 283
        bare = name in ("cooked", "cooked 2")
        assert [record[8] for _, _, record in records(done.out)] == [not bare] * len(SOME)
        if not bare:
            assert frames(done.out) == clear
    else:
        written = [octets for _, _, octets in records(done.out)]
        assert written == [link.wrap(one) for one in clear]
        assert struct.unpack_from("<H", done.out, 20)[0] == link.link_type


@pytest.mark.parametrize("name", LINKS)
def test_tshark_finds_the_same(name: str, oracle: Oracle, tmp_path: Path) -> None:
    """tshark decrypts the same frames in the capture that was read, where it knows the link type,
    and opens what was written."""
    program, link = oracle("tshark"), LINKS[name]
    given, out = tmp_path / "in.pcap", tmp_path / "out.pcap"
    given.write_bytes(capture_of(link, SECURED))
    payloads = [payload.hex() for payload in PAYLOADS]
    more = tshark_options(link)
    if link.tshark:
        assert [data for data, _ in fields(program, given, K2, *more)] == payloads
    done = run("unsecure", given, "--key", KEY, *options(link), "-o", out)
    assert done.code == 0, done.err
    if link.tshark or link.in_packets:
        assert fields(program, out, None, *more) == [(payload, "") for payload in payloads]


@pytest.mark.parametrize("name", LINKS)
def test_refused_frames_are_kept(name: str) -> None:
    """With --keep-refused a frame stays as it came; out of packets it is the frame itself, behind a
    TAP header."""
    link = LINKS[name]
    wrong = bytes([*SECURED[2][:-1], SECURED[2][-1] ^ 1])
    given = capture_of(link, [SECURED[0], wrong])
    done = run("unsecure", "--key", KEY, "--keep-refused", *options(link), given=given)
    assert done.code == 1
    assert "1 refused (1 wrong key), 2 written." in done.err
    kept = records(done.out)[1][2]
    if link.in_packets:
        head = struct.unpack_from("<H", kept, 2)[0]
        assert kept[head : head + len(wrong)] == wrong
    else:
        assert kept == link.wrap(wrong)


def test_securing_sets_the_length_of_the_phy() -> None:
    """The length before a frame grows with it."""
    clear = in_clear(SOME[1])
    done = run("secure", "--key", KEY, "--counter", "1", given=pcap([phy(clear)], PHY))
    assert done.code == 0, done.err
    [(_, _, octets)] = records(done.out)
    assert octets == phy(SECURED[1])


def test_frames_without_fcs_may_have_127_octets() -> None:
    """A frame of 127 octets without FCS is counted as 127, not as 129."""
    frame = data_frame(bytes(127 - 27 - 4), counter=1)
    assert len(on_air(frame)) == 127
    for link_type in (NO_FCS, TAP):
        record = on_air(frame) if link_type == NO_FCS else tap(on_air(frame), with_fcs=False)
        done = run("unsecure", "--key", KEY, given=pcap([record], link_type))
        assert done.code == 0, done.err
        done = run("unsecure", "--key", KEY, "--psdu", "127", given=pcap([record], link_type))
        assert done.code == 0, done.err
    with_fcs = pcap([tap(on_air(frame))])
    assert run("unsecure", "--key", KEY, given=with_fcs).code == 0
    done = run("unsecure", "--key", KEY, "--psdu", "127", given=with_fcs)
    assert "FRAME_TOO_LONG: longer than the longest PSDU (--psdu)" in done.err


def test_the_file_says_the_length_of_the_fcs() -> None:
    """The header of a pcap and the option of a pcapng can say that the FCS has four octets or
    none; --fcs overrides both."""
    long = [one + fcs32(one) for one in SECURED]
    said = pcap(long, WITH_FCS | 0x04000000 | 2 << 28)
    assert run("unsecure", "--key", KEY, given=said).code == 0
    option = struct.pack("<HHB3xI", 13, 1, 32, 0)
    ng = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    ng += block(1, struct.pack("<HHI", WITH_FCS, 0, 0) + option)
    for one in long:
        ng += block(6, struct.pack("<IIIII", 0, 0, 0, len(one), len(one)) + one)
    assert run("unsecure", "--key", KEY, given=ng).code == 0
    assert run("unsecure", "--key", KEY, "--fcs", "2", given=ng).code == 1
    none = pcap(SECURED, WITH_FCS | 0x04000000)
    assert run("unsecure", "--key", KEY, given=none).code == 0
    again = run("unsecure", "--key", KEY, given=said).out
    assert run("show", "--format", "csv", given=again).code == 0


def test_what_the_record_says_is_shown() -> None:
    """Channel, page, RSS and LQI of TAP, and channel and LQI of ZEP, are columns of the data."""
    record = tap_full(SECURED[0], 2, 77)
    head = struct.unpack_from("<H", record, 2)[0]
    unknown = tlv(0x3FFF, b"unknown") + tlv(1, b"??")
    record = (
        b"\0\0" + struct.pack("<H", head + len(unknown)) + record[4:head] + unknown + record[head:]
    )
    done = run("show", "--format", "json", given=pcap([record]))
    [row] = json.loads(done.out)
    assert (row["channel"], row["channel_page"], row["rss"], row["lqi"]) == (26, 0, -61.5, 200)
    assert (row["asn"], row["fcs"]) == (77, fcs32(SECURED[0]).hex())
    given = pcap([ipv4(udp(zep(SECURED[0], 1, chip=True)))], RAW)
    [row] = json.loads(run("show", "--format", "json", given=given).out)
    assert (row["channel"], row["rss"], row["lqi"], row["fcs"]) == (20, None, 0x6B, "d0eb")


FOREIGN = {
    "empty": b"",
    "ARP": bytes(12) + b"\x08\6" + bytes(46),
    "TCP": ethernet(ipv4(udp(zep(SECURED[0], 2))).replace(b"\x40\x11", b"\x40\x06", 1)),
    "another port": ethernet(ipv4(udp(zep(SECURED[0], 2), 53))),
    "fragment": ethernet(ipv4(udp(zep(SECURED[0], 2)), fragment=0x2000)),
    "no ZEP": ethernet(ipv4(udp(b"other octets"))),
    "ack of ZEP": ethernet(ipv4(udp(b"EX\2\2\0\0\0\1"))),
    "IPv6 without UDP": ethernet(
        ipv6(udp(zep(SECURED[0], 2))).replace(b"\x11\x40", b"\x3a\x40", 1)
    ),
    "cut in IPv4": ethernet(ipv4(udp(zep(SECURED[0], 2))))[:30],
    "cut in IPv6": ethernet(ipv6(udp(zep(SECURED[0], 2))))[:40],
}


def test_packets_without_a_frame_are_no_fault() -> None:
    """They are counted apart, keep their numbers, and do not make the exit code 1."""
    good = LINKS["ZEP 2 in Ethernet"].wrap
    given = pcap([good(SECURED[0]), *FOREIGN.values(), good(SECURED[1])], ETHERNET)
    done = run("unsecure", "--key", KEY, "--each", "--keep-refused", given=given)
    assert done.code == 0, done.err
    assert len(frames(done.out)) == 2
    assert f"{len(FOREIGN)} packets without a frame are left out." in done.err
    assert f"{len(FOREIGN) + 2}  SUCCESS" in done.err
    shown = run("show", "--format", "csv", given=given)
    assert (shown.code, len(shown.lines)) == (0, 3)


def test_faults_around_a_frame_are_named() -> None:
    """A ZEP length, a preamble and an FCS type that cannot be are refused in words."""
    short = ethernet(ipv4(udp(zep(SECURED[0], 2)[:-1])))
    done = run("unsecure", "--key", KEY, "--keep-refused", given=pcap([short], ETHERNET))
    assert "frame 1: MALFORMED: the ZEP header contradicts the length" in done.err
    assert records(done.out) == []
    for spoilt in (phy(SECURED[0])[1:], phy(SECURED[0])[:-1], b"\0\0\0\0\xa7"):
        done = run("unsecure", "--key", KEY, given=pcap([spoilt], PHY))
        assert "MALFORMED: preamble, start-of-frame delimiter or length" in done.err
    kind = tap_full(SECURED[0], 2).replace(b"\0\0\1\0\2", b"\0\0\1\0\3")
    assert "an FCS of an unknown kind" in run("unsecure", "--key", KEY, given=pcap([kind])).err
    chip = bytearray(ipv4(udp(zep(SECURED[0], 1, chip=True))))
    chip[-1] &= 0x7F
    assert "FCS" in run("unsecure", "--key", KEY, given=pcap([bytes(chip)], RAW)).err


def test_short_frames_have_an_fcs_of_four_octets() -> None:
    """A frame of three octets, an Imm-Ack, is calculated as if a zero followed."""
    ack = bytes.fromhex("020007")
    record = tap_full(ack, 2)
    done = run("unsecure", "--key", KEY, given=pcap([record]))
    assert (done.code, [octets for _, _, octets in records(done.out)]) == (0, [record])


@pytest.mark.parametrize("form", [pcap, pcapng])
def test_packed_by_gzip(form: object, tmp_path: Path) -> None:
    """A packed capture is read, also of several members; one that ends early is cut short, and a
    damaged one refused."""
    whole = (pcap if form is pcap else pcapng)([one + fcs(one) for one in SECURED], WITH_FCS)
    packed = gzip.compress(whole[:200]) + gzip.compress(whole[200:])
    path = tmp_path / "c.pcap.gz"
    path.write_bytes(packed)
    plain = run("unsecure", "--key", KEY, given=whole)
    for done in (run("unsecure", path, "--key", KEY), run("unsecure", "--key", KEY, given=packed)):
        assert (done.code, done.out) == (0, plain.out)
    cut = gzip.compress(whole)[:-60]
    done = run("unsecure", "--key", KEY, given=cut)
    assert done.code == 2
    assert "cut short in frame" in done.err
    assert run("unsecure", "--key", KEY, "--cut-short", given=cut).code == 1
    damaged = bytearray(packed)
    damaged[40] ^= 0xFF
    done = run("unsecure", "--key", KEY, given=bytes(damaged))
    assert done.code in (1, 2)
    assert "Traceback" not in done.err
    assert len([line for line in done.err.splitlines() if line.startswith("wardmote")]) == 1
    text = gzip.compress(SECURED[0].hex().encode())
    assert run("unsecure", "--key", KEY, given=text).lines == [in_clear(SOME[0]).hex()]


def test_nothing_is_read_without_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A device that never ends, a file, a pipe and a packed file longer than the limit are refused
    in one line."""
    done = run("show", "/dev/zero")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "longer than 16 MiB, the most that a text with frames may have" in done.err
    monkeypatch.setattr(source, "MOST_OCTETS", 1 << 20)
    monkeypatch.setattr(source, "PIECE", 1 << 16)
    head = pcap([])
    (tmp_path / "long.pcap").write_bytes(head + bytes(1 << 20))
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(head + bytes(1 << 27)))
    for name in ("long.pcap", "bomb.gz"):
        with pytest.raises(UsageError, match="longer than 1 MiB"):
            source.read(str(tmp_path / name), fcs=None, cut=False)
