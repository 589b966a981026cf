# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame unsecure`: what comes out, what is refused with which status, and what is never
left behind."""

import json
import struct
from pathlib import Path

import pytest

from tests.bench.frame import captures, network
from tests.bench.frame.command import refused, run
from tests.model.ieee802154_model import Ash, Frame, fcs, secure
from wardmote.frame import native

SOME = [(network.data_frame(bytes([i]) * i, seq=i), 100 + i) for i in range(0, 60, 7)]
"""Frames of several lengths, each with its ASN."""


def test_hex_in_hex_out() -> None:
    """A frame on the command line comes out in clear; the summary goes to stderr."""
    frame = network.data_frame()
    done = run("unsecure", network.on_air(frame, 5).hex(), "--asn", "5", "--key", network.KEY)
    assert (done.code, done.lines) == (0, [network.in_clear(frame).hex()])
    assert "1 of 1 frames unsecured or clear: 1 with --key 2; 0 refused, 1 written." in done.err


def test_hex_through_pipes_with_asn_and_comments() -> None:
    """Lines of hex on stdin may say their ASN, which stays with them; comments, spaces and empty
    lines are let be."""
    one, two = network.data_frame(b"one", seq=1), network.data_frame(b"two", seq=2)
    spaced = network.on_air(two, 0x0102030405).hex(" ")
    given = (
        f"# two frames\n\nasn=9 {network.on_air(one, 9).hex()} # first\nasn=0x0102030405 {spaced}\n"
    )
    done = run("unsecure", "-", "--key", network.KEY, given=given.encode())
    assert done.code == 0, done.err
    assert done.lines == [
        f"asn=9 {network.in_clear(one).hex()}",
        f"asn={0x0102030405} {network.in_clear(two).hex()}",
    ]


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("counter", [None, 77])
def test_every_level_and_form(level: int, counter: int | None) -> None:
    """Frames of the model come out as they went in, at every level, with either form of nonce."""
    frame = network.data_frame(level=level, counter=counter)
    done = run(
        "unsecure",
        "--asn",
        "5",
        "--key",
        network.KEY,
        given=network.on_air(frame, 5).hex().encode(),
    )
    assert (done.code, done.lines) == (0, [network.in_clear(frame).hex()]), done.err


@pytest.mark.parametrize("magic", [0xA1B2C3D4, captures.NANOSECONDS])
@pytest.mark.parametrize("order", ["<", ">"])
def test_every_form_of_pcap(order: str, magic: int, tmp_path: Path) -> None:
    """All four classic forms are read; times stay, and so does their resolution."""
    capture, out = tmp_path / "in.pcap", tmp_path / "out.pcap"
    capture.write_bytes(
        captures.pcap(
            [captures.tap(network.on_air(f, asn), asn) for f, asn in SOME], order=order, magic=magic
        )
    )
    assert run("unsecure", capture, "--key", network.KEY, "-o", out).code == 0
    written = out.read_bytes()
    assert struct.unpack_from("<I", written)[0] == magic
    assert [(s, f) for s, f, _ in captures.records(written)] == [(i, 7) for i in range(len(SOME))]
    assert captures.frames(written) == [network.in_clear(f) for f, _ in SOME]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("resolution", "fraction"), [(None, 7000), (9, 7), (3, 7_000_000)])
def test_pcapng(order: str, resolution: int | None, fraction: int) -> None:
    """A pcapng of either order of octets becomes a pcap with times in nanoseconds."""
    given = captures.pcapng(
        [captures.tap(network.on_air(f, asn), asn) for f, asn in SOME],
        order=order,
        resolution=resolution,
    )
    done = run("unsecure", "--key", network.KEY, given=given)
    assert done.code == 0, done.err
    assert struct.unpack_from("<I", done.out)[0] == captures.NANOSECONDS
    assert [(s, f) for s, f, _ in captures.records(done.out)] == [
        (i, fraction) for i in range(len(SOME))
    ]
    assert captures.frames(done.out) == [network.in_clear(f) for f, _ in SOME]


def test_pcapng_in_other_forms() -> None:
    """Simple packet blocks, obsolete packet blocks, resolutions by powers of two and unknown blocks
    are understood."""
    record, later = (captures.tap(network.on_air(frame, asn), asn) for frame, asn in SOME[1:3])
    resolution = struct.pack("<HHB3xI", 9, 1, 0x80 | 10, 0)
    given = captures.block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    given += captures.block(1, struct.pack("<HHI", 283, 0, 0) + resolution)
    given += captures.block(5, bytes(12))
    given += captures.block(3, struct.pack("<I", len(record)) + record)
    given += captures.block(
        2, struct.pack("<HHIIII", 0, 0, 0, 1024 + 512, len(later), len(later)) + later
    )
    done = run("unsecure", "--key", network.KEY, given=given)
    assert done.code == 0, done.err
    assert [(s, f) for s, f, _ in captures.records(done.out)] == [(0, 0), (1, 500_000_000)]
    assert captures.frames(done.out) == [network.in_clear(frame) for frame, _ in SOME[1:3]]


@pytest.mark.parametrize("link_type", [captures.WITH_FCS, captures.NO_FCS])
def test_other_link_types(link_type: int) -> None:
    """Without TAP header the ASN is counted from --asn; the FCS is made anew where there is one."""
    some = [network.data_frame(b"x" * i, seq=i) for i in range(5)]
    psdus = [network.on_air(frame, 40 + i) for i, frame in enumerate(some)]
    trailer = fcs if link_type == captures.WITH_FCS else lambda _: b""
    done = run(
        "unsecure",
        "--key",
        network.KEY,
        "--asn",
        "40",
        given=captures.pcap([p + trailer(p) for p in psdus], link_type),
    )
    assert done.code == 0, done.err
    assert struct.unpack_from("<I", done.out, 20)[0] == link_type
    assert [octets for _, _, octets in captures.records(done.out)] == [
        network.in_clear(f) + trailer(network.in_clear(f)) for f in some
    ]


def spoilt() -> dict[str, tuple[str, bytes]]:
    """Records that must be refused: name, status and octets, in the order of their frame
    numbers."""
    good = network.on_air(network.data_frame(counter=5))
    wrong_mic = good[:-1] + bytes([good[-1] ^ 1])
    reserved = bytes([good[0] & 0xF8 | 4]) + good[1:]
    cases = {
        "replay": ("COUNTER_ERROR", captures.tap(good)),
        "another key": (
            "SECURITY_ERROR",
            captures.tap(network.on_air(network.data_frame(counter=6), key=bytes(16))),
        ),
        "changed": (
            "SECURITY_ERROR",
            captures.tap(wrong_mic.replace(b"\x05\0\0\0", b"\x07\0\0\0", 1)),
        ),
        "unknown index": (
            "UNAVAILABLE_KEY",
            captures.tap(network.on_air(network.data_frame(counter=8, index=9))),
        ),
        "used up": (
            "COUNTER_ERROR",
            captures.tap(network.on_air(network.data_frame(counter=0xFFFFFFFF))),
        ),
        "wrong FCS": ("FCS", captures.tap(good)[:-1] + bytes([captures.tap(good)[-1] ^ 1])),
        "reserved type": ("MALFORMED", captures.tap(reserved)),
        "cut in the MIC": ("MALFORMED", captures.tap(good[:26])),
        "empty": ("MALFORMED", captures.tap(b"")),
        "no TAP header": ("MALFORMED", b"\0\0"),
        "TAP header too long": ("MALFORMED", b"\0\0\xff\0" + good),
        "too long": ("FRAME_TOO_LONG", captures.tap(bytes(2046))),
        "no ASN": ("INVALID_PARAMETER", captures.tap(network.on_air(network.data_frame(), 5))),
        "legacy": ("UNSUPPORTED_LEGACY", captures.tap(bytes([good[0], good[1] & 0xCF]) + good[2:])),
        "level 4": (
            "UNSUPPORTED_SECURITY",
            captures.tap(network.on_air(network.data_frame(level=4, counter=9))),
        ),
        "multipurpose": ("NOT_FOR_US", captures.tap(b"\x05\0\0")),
        "unknown short source": (
            "UNAVAILABLE_DEVICE",
            captures.tap(
                secure(
                    Frame(dst=network.ROOT_EXT, src=b"\0\2", ash=Ash(5, 1, 9, False, b"", 2)),
                    network.K2,
                    "counter",
                    0,
                    network.LEAF_EXT,
                )
            ),
        ),
    }
    return {"good": ("SUCCESS", captures.tap(good)), **cases}


def test_each_refused_frame_is_named_with_its_status() -> None:
    """Every refused frame is listed by number with the status's name; the others are written, the
    exit code is 1."""
    cases = spoilt()
    capture = captures.pcap(octets for _, octets in cases.values())
    done = run("unsecure", "--key", network.KEY, "--format", "json", given=capture)
    assert done.code == 1
    assert captures.frames(done.out) == [network.in_clear(network.data_frame(counter=5))]
    rows = json.loads(done.err[: done.err.rindex("]") + 1])
    listed = {one["frame"]: one["status"] for row in rows for one in row["refused"]}
    want = {
        i: status for i, (status, _) in enumerate(cases.values(), start=1) if status != "SUCCESS"
    }
    assert listed == want
    assert sum(row["frames"] for row in rows) == len(cases)
    assert all(one["reason"] for row in rows for one in row["refused"])


def test_table_lists_as_many_as_asked_for() -> None:
    """The table counts every status. It names the first refused frames, at most --limit of them."""
    capture = captures.pcap(octets for _, octets in spoilt().values())
    done = run("unsecure", "--key", network.KEY, "--limit", "3", given=capture)
    assert [line.split(":")[0] for line in done.err.splitlines() if line.startswith("frame ")] == [
        "frame 2",
        "frame 3",
        "frame 4",
    ]
    assert f"and {len(spoilt()) - 4} more: --limit lists them" in done.err
    assert "COUNTER_ERROR" in done.err


def test_malformed_says_where() -> None:
    """A malformed frame is named with what is wrong and the octet."""
    good = network.on_air(network.data_frame(), 5)
    zero_index = good[:22] + b"\0" + good[23:]
    done = run(
        "unsecure",
        "--key",
        network.KEY,
        "--asn",
        "5",
        given=f"{zero_index.hex()}\n{good[:20].hex()}\n".encode(),
    )
    assert "frame 1: MALFORMED: KeyIndex 0 is not possible (octet 22)" in done.err
    assert "frame 2: MALFORMED: it ends within the addressing fields (octet 20)" in done.err


def test_keep_refused() -> None:
    """With --keep-refused a refused frame is written exactly as it came, in its place."""
    cases = [octets for _, octets in spoilt().values()]
    done = run("unsecure", "--key", network.KEY, "--keep-refused", given=captures.pcap(cases))
    written = [octets for _, _, octets in captures.records(done.out)]
    assert len(written) == len(cases)
    assert written[1:] == cases[1:]
    assert written[0] != cases[0]


def test_refused_frames_leave_no_plaintext() -> None:
    """The decrypted payload of a frame with a wrong MIC is nowhere in the output, whether the frame
    is kept or not."""
    secret = b"nobody may read this"
    octets = bytearray(network.on_air(network.data_frame(secret, counter=1)))
    octets[-1] ^= 1
    for words in ((), ("--keep-refused",)):
        done = run(
            "unsecure",
            "--key",
            network.KEY,
            *words,
            given=captures.pcap([captures.tap(bytes(octets))]),
        )
        assert done.code == 1
        assert secret not in done.out


def test_replays_are_refused_per_sender_and_key_and_can_be_accepted() -> None:
    """A counter that does not grow is a replay, but another sender's may be the same; --replays
    takes all."""
    first, again, less = (network.on_air(network.data_frame(counter=c)) for c in (5, 5, 4))
    other = network.on_air(
        Frame(dst=network.LEAF_EXT, src=network.ROOT_EXT, ash=Ash(5, 1, 5, False, b"", 2))
    )
    capture = captures.pcap(captures.tap(f) for f in (first, again, less, other))
    assert len(captures.frames(run("unsecure", "--key", network.KEY, given=capture).out)) == 2
    done = run("unsecure", "--key", network.KEY, "--replays", given=capture)
    assert (done.code, len(captures.frames(done.out))) == (0, 4)


def test_wrong_fcs_can_be_borne() -> None:
    """--any-fcs takes frames of sniffers that overwrite the FCS, and writes a right one."""
    record = captures.tap(network.on_air(network.data_frame(counter=1)))[:-2] + b"\x12\x34"
    assert run("unsecure", "--key", network.KEY, given=captures.pcap([record])).code == 1
    done = run("unsecure", "--key", network.KEY, "--any-fcs", given=captures.pcap([record]))
    assert (done.code, captures.frames(done.out)) == (
        0,
        [network.in_clear(network.data_frame(counter=1))],
    )


def test_enh_ack_without_source_is_of_whom_it_acknowledges() -> None:
    """An Enh-Ack that names no source is unsecured with the address of the frame before it; alone
    it is refused."""
    sent = network.data_frame(b"?", seq=33)
    octets = secure(network.ANSWER, network.K2, "asn", 8, network.ROOT_EXT)
    done = run(
        "unsecure",
        "--key",
        network.KEY,
        given=captures.pcap([captures.tap(network.on_air(sent, 8), 8), captures.tap(octets, 8)]),
    )
    assert (done.code, captures.frames(done.out)) == (
        0,
        [network.in_clear(sent), network.in_clear(network.ANSWER)],
    ), done.err
    assert (
        run("unsecure", "--key", network.KEY, given=captures.pcap([captures.tap(octets, 8)])).code
        == 1
    )


def test_clear_frames_pass_unless_levels_say_otherwise(tmp_path: Path) -> None:
    """Frames in clear come out as they went in; with a policy they are IMPROPER_SECURITY_LEVEL."""
    clear = captures.tap(network.in_clear(network.data_frame()))
    done = run("unsecure", "--key", network.KEY, given=captures.pcap([clear]))
    assert (done.code, [o for _, _, o in captures.records(done.out)]) == (0, [clear])
    assert "1 came in clear" in done.err
    strict = tmp_path / "keys.toml"
    strict.write_text(f'[levels]\ndata = [5]\n[[key]]\nindex = 2\noctets = "{network.K2.hex()}"\n')
    assert (
        "IMPROPER_SECURITY_LEVEL"
        in run("unsecure", "--keys", strict, given=captures.pcap([clear])).err
    )


def test_the_output_is_the_same_with_every_cipher() -> None:
    """AES by instructions and the stack's variants agree."""
    capture = captures.pcap(captures.tap(network.on_air(f, asn), asn) for f, asn in SOME)
    names = (
        refused("unsecure", "--key", network.KEY, "--cipher", "none", given=capture)
        .split("are ")[-1]
        .split(", ")
    )
    assert {"aes128-tab", "aes128-fix", "aes128-small"} <= set(names)
    assert (
        len(
            {
                run("unsecure", "--key", network.KEY, "--cipher", name, given=capture).out
                for name in names
            }
        )
        == 1
    )


def test_a_cut_capture_is_refused_or_taken_to_its_last_whole_frame(tmp_path: Path) -> None:
    """A capture that ends early is refused with the place, and nothing is written; --cut-short
    takes what is whole."""
    whole = captures.pcap(captures.tap(network.on_air(f, asn), asn) for f, asn in SOME)
    capture, out = tmp_path / "cut.pcap", tmp_path / "out.pcap"
    for missing in (1, 60, 77):
        capture.write_bytes(whole[:-missing])
        assert f"cut short in frame {len(SOME)}, at octet" in refused(
            "unsecure", capture, "--key", network.KEY, "-o", out
        )
        assert [path.name for path in tmp_path.iterdir()] == ["cut.pcap"]
    done = run("unsecure", capture, "--key", network.KEY, "-o", out, "--cut-short")
    assert done.code == 1
    assert captures.frames(out.read_bytes()) == [network.in_clear(f) for f, _ in SOME[:-1]]


def test_an_old_file_stays_when_the_input_is_refused(tmp_path: Path) -> None:
    """The output appears as a whole or not at all, and leaves no temporary file."""
    out = tmp_path / "out.pcap"
    out.write_bytes(b"old")
    refused("unsecure", "-", "--key", network.KEY, "-o", out, given=captures.pcap([], 147))
    assert out.read_bytes() == b"old"
    assert run("unsecure", "-", "--key", network.KEY, "-o", out, given=captures.pcap([])).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.pcap"]
    assert captures.records(out.read_bytes()) == []


def test_many_frames_in_pieces() -> None:
    """More frames than go to the library at once come out in order, replays counted across the
    pieces."""
    some = [network.data_frame(bytes([i & 0xFF]), counter=i, seq=i & 0xFF) for i in range(5000)]
    octets = [captures.tap(network.on_air(frame)) for frame in some]
    octets[4500] = octets[10]
    done = run("unsecure", "--key", network.KEY, given=captures.pcap(octets))
    assert done.code == 1
    assert "frame 4501: COUNTER_ERROR" in done.err
    assert captures.frames(done.out) == [
        network.in_clear(frame) for i, frame in enumerate(some) if i != 4500
    ]


@pytest.mark.parametrize(
    ("words", "given", "says"),
    [
        (("unsecure",), b"", "no key: give --keys FILE"),
        (("unsecure", "--key", network.KEY), b"", "no frame in it"),
        (("unsecure", "--key", network.KEY), b"\xff\xfe\xfd", "neither pcap nor pcapng, nor text"),
        (("unsecure", "--key", network.KEY), b"0102\nxyz\n", "line 2: 'xyz' is no frame in hex"),
        (("unsecure", "--key", network.KEY), b"asn=x 0102\n", "line 1: no ASN 'x'"),
        (
            ("unsecure", "--key", network.KEY),
            captures.pcap([], 147),
            "link type 147 has no frames of IEEE 802.15.4: possible are 191",
        ),
        (("unsecure", "--key", network.KEY), captures.pcap([])[:20], "its header is cut short"),
        (
            ("unsecure", "--key", network.KEY),
            captures.pcapng([b"x"])[:-4] + b"\0\0\0\0",
            "contradicts itself behind frame 0",
        ),
        (
            ("unsecure", "--key", network.KEY, "no-such-file.pcap"),
            b"",
            "no-such-file.pcap: No such file",
        ),
        (
            ("unsecure", "--key", network.KEY, "--limit", "-1"),
            b"",
            "no limit '-1': possible are 0 to",
        ),
        (
            ("unsecure", "--key", network.KEY, "--asn", "0x10000000000"),
            b"",
            "no asn '0x10000000000'",
        ),
        (("unsecure", "--key", network.KEY, "--format", "xml"), b"", "xml"),
        (("unsecure", "--key", network.KEY, "--nonsense"), b"", "--nonsense"),
        (("unsecure", "--key", "2"), b"", "--key has 1 parts: write INDEX:KEY"),
        (("unsecure", "--key", "0:00"), b"", "no KeyIndex '0': possible are 1 to 255"),
        (("unsecure", "--key", "2:00"), b"", "not 32 hex digits"),
        (("unsecure", "--key", f"012345:{network.KEY}"), b"", "no Key Source '012345'"),
        (
            ("unsecure", "--key", network.KEY, "--key", network.KEY),
            b"",
            "the same key is there twice, under one name",
        ),
        (("unseal",), b"", "unseal"),
        ((), b"", "required"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], given: bytes, says: str) -> None:
    """Whatever is wrong, one line says what and where, with exit code 2."""
    assert says in refused(*words, given=given)


def test_two_link_types_in_one_file_are_refused() -> None:
    """A pcapng whose interfaces differ in link type cannot become one pcap."""
    given = captures.pcapng([captures.tap(b"\2\0\0")]) + captures.pcapng(
        [b"\2\0\0"], captures.NO_FCS
    )
    assert "from frame 2 on another link type" in refused(
        "unsecure", "--key", network.KEY, given=given
    )


def test_so_many_senders_are_remembered() -> None:
    """Senders beyond those that can be remembered are refused, for their replays could not be; the
    others go on."""
    senders = [struct.pack(">Q", 0x00124B0000000000 + i) for i in range(native.DEVICES + 1)]
    clear = [
        network.in_clear(Frame(dst=network.ROOT_EXT, src=sender, private_part=b"?"))
        for sender in (*senders, senders[5])
    ]
    secured = run(
        "secure",
        "--key",
        network.KEY,
        "--counter",
        "0",
        given=captures.pcap(clear, captures.NO_FCS),
    )
    assert secured.code == 0
    done = run("unsecure", "--key", network.KEY, given=secured.out)
    assert done.code == 1
    assert f"frame {native.DEVICES + 1}: UNAVAILABLE_DEVICE" in done.err
    assert [octets for _, _, octets in captures.records(done.out)] == clear[
        : native.DEVICES
    ] + clear[-1:]


def test_in_and_out_may_be_one_file(tmp_path: Path) -> None:
    """A capture may be unsecured into its own place."""
    capture = tmp_path / "c.pcap"
    capture.write_bytes(
        captures.pcap([captures.tap(network.on_air(f, asn), asn) for f, asn in SOME])
    )
    assert run("unsecure", capture, "--key", network.KEY, "-o", capture).code == 0
    assert captures.frames(capture.read_bytes()) == [network.in_clear(f) for f, _ in SOME]
