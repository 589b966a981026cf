# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame secure`: octet for octet what the independent model makes, and the way back."""

from pathlib import Path

import pytest

from tests.bench.frame.captures import NO_FCS, WITH_FCS, frames, pcap, records, tap
from tests.bench.frame.command import refused, run
from tests.bench.frame.network import K2, KEY, LEAF_EXT, ROOT_EXT, data_frame, in_clear, on_air
from tests.model.ieee802154_model import ACK, HT1, Ash, Frame, fcs, payload_ie, secure

SOURCE2, SOURCE3 = "cdab0100", "00124b00000000aa"


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
def test_asn_form_is_the_models(level: int) -> None:
    """With --asn a frame becomes, octet for octet, what the model makes of it."""
    frame = data_frame(level=level)
    words = ("--asn", "0x0102030405", "--level", str(level), "--key", KEY)
    done = run("secure", in_clear(frame).hex(), *words)
    assert (done.code, done.lines) == (0, [on_air(frame, 0x0102030405).hex()]), done.err


@pytest.mark.parametrize(
    ("mode", "key", "source"),
    [(1, KEY, ""), (2, f"{SOURCE2}:{KEY}", SOURCE2), (3, f"{SOURCE3}:{KEY}", SOURCE3)],
)
def test_counter_form_and_key_id_modes(mode: int, key: str, source: str) -> None:
    """With --counter the counter goes up frame by frame, and the key is named as the mode says."""
    some = [
        Frame(
            dst=ROOT_EXT,
            src=LEAF_EXT,
            ash=Ash(6, mode, c, False, bytes.fromhex(source), 2),
            private_part=bytes([c]),
        )
        for c in (30, 31, 32)
    ]
    words = ("--counter", "30", "--level", "6", "--key-id-mode", str(mode), "--key", key)
    done = run("secure", *words, given="\n".join(in_clear(f).hex() for f in some).encode())
    assert (done.code, done.lines) == (0, [on_air(f).hex() for f in some]), done.err


def test_implicit_key_and_short_source(tmp_path: Path) -> None:
    """KeyIdMode 0 finds the key by the destination, and the nonce of a short source has the address
    of the table."""
    book = tmp_path / "keys.toml"
    book.write_text(
        f'[[key]]\nmode = 0\noctets = "{K2.hex()}"\ndevice = {{ pan = "abcd", short = "0001" }}\n'
        f'[[device]]\npan = "abcd"\nshort = "0002"\next = "{LEAF_EXT.hex()}"\n'
    )
    frame = Frame(
        dst=b"\0\1",
        src=b"\0\2",
        compression=True,
        ash=Ash(5, 0, 4, False),
        private_part=b"implicit",
    )
    words = ("--keys", book, "--key-id-mode", "0", "--counter", "4")
    done = run("secure", in_clear(frame).hex(), *words)
    assert (done.code, done.lines) == (0, [secure(frame, K2, "counter", 0, LEAF_EXT).hex()]), (
        done.err
    )
    stranger = in_clear(
        Frame(dst=b"\0\1", src=b"\0\3", compression=True, private_part=b"implicit")
    ).hex()
    assert "needs the sender's extended address" in run("secure", stranger, *words).err
    named = run("secure", stranger, *words, "--source", ROOT_EXT.hex())
    assert named.code == 0, named.err


@pytest.mark.parametrize("link_type", [WITH_FCS, NO_FCS])
def test_capture_there_and_back(link_type: int, tmp_path: Path) -> None:
    """A capture secured and unsecured again is the same capture, with IEs, short addresses and
    empty payload in it."""
    some = [
        data_frame(b""),
        Frame(dst=b"\xff\xff", src=b"\0\2", private_part=b"to all"),
        Frame(
            dst=ROOT_EXT,
            src=LEAF_EXT,
            header_ies=HT1,
            private_part=payload_ie(3, b"vendor") + b"\0\xf8rest",
        ),
        Frame(type=ACK, dst=LEAF_EXT, src=ROOT_EXT, seq=9),
    ]
    trailer = fcs if link_type == WITH_FCS else lambda _: b""
    clear = pcap([in_clear(f) + trailer(in_clear(f)) for f in some], link_type)
    (tmp_path / "clear.pcap").write_bytes(clear)
    secured = run("secure", tmp_path / "clear.pcap", "--key", KEY, "--asn", "70")
    assert secured.code == 0, secured.err
    for (_, _, octets), frame in zip(records(secured.out), some, strict=True):
        assert len(octets) == len(in_clear(frame) + trailer(b"")) + 2 + 4
        assert octets.endswith(trailer(octets[: -len(trailer(b"")) or None]))
    back = run("unsecure", "--key", KEY, "--asn", "70", given=secured.out)
    assert (back.code, back.out) == (0, clear), back.err


def test_the_asn_of_a_capture_is_used() -> None:
    """A TAP header's ASN makes the nonce."""
    frame = data_frame()
    done = run("secure", "--key", KEY, given=pcap([tap(in_clear(frame), 12345)]))
    assert (done.code, frames(done.out)) == (0, [on_air(frame, 12345)])


def test_frames_that_cannot_be_secured_are_named() -> None:
    """Acknowledgments without ASH, frames that are secured already or too long keep out, each with
    its status."""
    given = [
        bytes([2, 0, 7]),
        on_air(data_frame(), 1),
        in_clear(data_frame(bytes(103))),
        in_clear(data_frame()),
    ]
    done = run(
        "secure", "--key", KEY, "--asn", "1", given="\n".join(f.hex() for f in given).encode()
    )
    assert done.code == 1
    assert len(done.lines) == 1
    assert "frame 1: UNSUPPORTED_SECURITY" in done.err
    assert "frame 2: INVALID_PARAMETER: it is secured already" in done.err
    assert "frame 3: FRAME_TOO_LONG" in done.err


def test_used_up_counters_are_refused() -> None:
    """The last counter is not used, nor is an ASN beyond 40 bits."""
    clear = "\n".join([in_clear(data_frame()).hex()] * 3).encode()
    done = run("secure", "--key", KEY, "--counter", str(2**32 - 2), given=clear)
    assert (done.code, len(done.lines)) == (1, 1)
    assert "frame 2: COUNTER_ERROR" in done.err
    done = run("secure", "--key", KEY, "--asn", str(2**40 - 2), given=clear)
    assert (done.code, len(done.lines)) == (1, 1)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--asn", "1"), "no key of KeyIdMode 1"),
        (("--key", KEY), "give --counter for the counter form, --asn for TSCH"),
        (
            ("--key", KEY, "--asn", "1", "--counter", "1"),
            "--counter is of one form of nonce, --asn of the other",
        ),
        (("--key", KEY, "--asn", "1", "--level", "0"), "no level '0': possible are 1 to 7"),
        (("--key", KEY, "--key", "3" + KEY[1:], "--asn", "1"), "2 keys of KeyIdMode 1 fit"),
        (("--key", KEY, "--key-index", "5", "--asn", "1"), "0 keys of KeyIdMode 1 fit"),
        (("--key", KEY, "--key-source", "00", "--asn", "1"), "8 or 16 hex digits are possible"),
        (("--key", KEY, "--key-source", "00000000", "--asn", "1"), "--key-source"),
        (
            ("--key", KEY, "--counter", "4294967296"),
            "no counter '4294967296': possible are 0 to 4294967295",
        ),
        (("--key", KEY, "--counter", "1", "--source", "0102"), "16 hex digits are possible"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], says: str) -> None:
    """What cannot be asked for is said in one line, with exit code 2."""
    assert says in refused("secure", in_clear(data_frame()).hex(), *words)
