# SPDX-License-Identifier: BSD-3-Clause
"""The host, instruction by instruction: path, addresses, jumps, stack, limits, and what goes
wrong."""

import platform
import re
from pathlib import Path

import pytest

import wardmote
from tests.bench.measurements.function.sources import SOURCE, line_of, verdicts
from wardmote.call import CallError, Host, Outcome, Trace
from wardmote.call.host.decode import COLUMN, NONE, DecodeError, Decoder
from wardmote.measurements.function import stepped
from wardmote.measurements.function.build import Order, build
from wardmote.measurements.function.files import sort_files
from wardmote.measurements.function.prototype import read_call
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public
from wardmote.views.measure import answer

MORE = """
uint32_t leaf(uint32_t n) { return n + 1; }
uint8_t array(uint32_t n)
{
    volatile uint8_t kept[1000];
    kept[n] = 7;
    kept[999 - n] = 9;
    return kept[n];
}
uint64_t many(uint8_t a, int16_t b, uint32_t c, uint64_t d, int8_t e, uint16_t f, uint32_t g, int64_t h)
{
    return a + 3 * (uint64_t)b + 5 * (uint64_t)c + 7 * d + 11 * (uint64_t)e + 13 * (uint64_t)f + 17 * (uint64_t)g
        + 19 * (uint64_t)h;
}
uint32_t turns(uint32_t n)
{
    volatile uint32_t kept = 0;
    while (n--)
        kept += n;
    return kept;
}
void strings(uint8_t to[32], const uint8_t from[32], uint32_t n)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
void gather(const uint8_t key[16], uint8_t *block)
{
    __asm__ volatile("bt %1, (%0)" : : "r"(block), "r"((uint64_t)key[0]) : "cc", "memory");
}
void trap(void) { __asm__ volatile("ud2"); }
void crooked(void) { *(volatile uint8_t *)(uintptr_t)0x8000000000000000u = 1; }
void quit(void) { __asm__ volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory"); }
void leap(uint64_t to) { ((void (*)(void))(uintptr_t)to)(); }
"""
CALLS = {
    "leaf": "uint32_t leaf(uint32_t n)",
    "array": "uint8_t array(uint32_t n)",
    "many": (
        "uint64_t many(uint8_t a, int16_t b, uint32_t c, uint64_t d, int8_t e, uint16_t f, "
        "uint32_t g, int64_t h)"
    ),
    "turns": "uint32_t turns(uint32_t n)",
    "strings": "void strings(uint8_t to[32], const uint8_t from[32], uint32_t n)",
    "trap": "void trap(void)",
    "crooked": "void crooked(void)",
    "leap": "void leap(uint64_t to)",
    "spin": "uint16_t spin(uint16_t n)",
    "poke": "void poke(uint16_t n)",
}
FILE = ("mixed_bag.c", SOURCE + MORE)


def target(source: Path, function: str) -> Host:
    """A target whose library keeps the function."""
    files = sort_files([source])
    call = read_call(CALLS[function], files.types, ())
    order = Order(files, function, ("-fno-unroll-loops",), (), CALLS[function])
    return Host(build("host", order, source.parent / function).path, call.prototypes)


def trace_of(outcome: Outcome) -> Trace:
    """The trace that the call recorded."""
    assert outcome.trace is not None
    return outcome.trace


def test_secret_branch_is_named(source: Path) -> None:
    """A comparison that stops early: the line, the jump, both inputs; cycles are not claimed."""
    call = "int compare(const uint8_t tag[8], const uint8_t want[8])"
    (row,) = wardmote.measure(source, call, args={"want": "random:secret"}, cpus="host", runs=4)
    assert verdicts(row) == (False, None, False, True)
    (leak,) = row.leaks
    assert (leak.verdict, leak.function, leak.source) == (
        "branch",
        "compare",
        f"mixed_bag.c:{line_of('the branch')}",
    )
    assert re.match(r"j\w+ ", leak.instruction)
    assert leak.secrets_first != leak.secrets_second
    assert set(leak.public) == {"tag"}


def test_secret_index_is_named(source: Path) -> None:
    """A table that is indexed by a secret: one path, and the line of the index; the same answer
    every time."""
    call = "uint8_t look(const uint8_t key[4])"
    (row,) = wardmote.measure(source, call, args=["key=random:secret"], cpus="host", runs=4)
    assert (row.constant_time, row.no_secret_branch, row.no_secret_address) == (False, True, False)
    (leak,) = row.leaks
    assert (leak.verdict, leak.source) == ("address", f"mixed_bag.c:{line_of('the index')}")
    assert leak.first.startswith("reads 0x")
    assert leak.first != leak.second
    assert wardmote.measure(source, call, args=["key=random:secret"], cpus="host", runs=4) == [row]


def test_constant_time_function_says_so(source: Path) -> None:
    """Both verdicts hold, the stack is counted, the sentence does not claim cycles."""
    call = "uint8_t fold(const uint8_t key[16], uint8_t block[16])"
    (row,) = wardmote.measure(
        source, call, args=["key=random:secret", "block=random:secret"], cpus="host", runs=4
    )
    assert (row.constant_time, row.constant_cycles, row.leaks) == (True, None, ())
    assert (row.cycles_median, row.time_us, row.unstepped) == (None, None, None)
    assert row.instructions is not None
    assert row.instructions > 8
    assert row.stack_octets == 8
    assert answer([row]) == (
        "host: sampled: no secret-dependent branch, no secret-dependent address (key, block); "
        f"{row.instructions} instructions, cycles not counted."
    )


def test_tables_of_aes(root: Path) -> None:
    """AES with tables has secret addresses but no secret branch. The variant `fix` has neither."""
    cipher = root / "stack" / "src" / "cipher"
    secrets = ["ctx=random:secret", "block=random:secret"]
    tab = "void wm_aes128_tab_encrypt(const wm_aes128 *ctx, wm_block128 *block)"
    files = [cipher / f"aes128_{name}.c" for name in ("tab", "tables", "sbox")]
    files.append(root / "stack/src/util/ct.c")
    (row,) = wardmote.measure(files, tab, args=secrets, cpus="host", runs=3)
    assert (row.no_secret_branch, row.no_secret_address) == (True, False)
    assert re.fullmatch(r"aes128_tab\.c:\d+", row.leaks[0].source)
    sources = [cipher / f"aes128_{name}.c" for name in ("fix", "fix_slice", "fix_expand", "sbox")]
    sources.append(root / "stack" / "src" / "util" / "ct.c")
    fix = tab.replace("tab", "fix").replace("wm_aes128 *", "wm_aes128_slices *")
    (row,) = wardmote.measure(sources, fix, args=secrets, cpus="host", runs=3)
    assert row.constant_time is True


def test_stack_is_exact(source: Path) -> None:
    """A leaf has its return address; an array of 1000 octets its octets besides, wherever the stack
    pointer is."""
    leaf = target(source, "leaf").call("leaf", 5, trace="hash")
    assert (leaf.value, leaf.stack_octets) == (6, 8)
    array = target(source, "array")
    outcome = array.call("array", 0, trace="full")
    trace = trace_of(outcome)
    assert outcome.value == 7
    low = min(address for address, write in trace.accesses if write)
    assert (low + 999, True) in trace.accesses
    # The return address is the last octet but 7 that counts; it is read by the return.
    assert outcome.stack_octets == trace.accesses[-1][0] + 8 - min(low, *trace.sps)
    assert 1008 <= int(outcome.stack_octets) < 1024 + 64


def test_trace_is_the_path(source: Path) -> None:
    """Arguments arrive in registers and on the stack; a loop's jump is taken as often as it turns;
    lists agree."""
    arguments = (200, -3, 4_000_000_000, 1 << 40, -5, 65535, 17, -(1 << 40))
    want = (
        sum(
            weight * value
            for weight, value in zip((1, 3, 5, 7, 11, 13, 17, 19), arguments, strict=True)
        )
        % 2**64
    )
    many = target(source, "many")
    assert (
        many.call("many", *arguments).value
        == many.call("many", *arguments, trace="hash").value
        == want
    )
    turns = target(source, "turns")
    first, more = (turns.call("turns", n, trace="full") for n in (5, 105))
    assert (first.value, more.value) == (10, 105 * 104 // 2)
    a, b = trace_of(first), trace_of(more)
    assert (
        sum(taken + passed for _, taken, passed in b.branches)
        - sum(t + p for _, t, p in a.branches)
        == 100
    )
    assert len(b.pcs) == more.instructions == len(b.sps)
    assert len(b.accesses) == len(b.access_pcs)
    assert set(b.access_pcs) <= set(b.pcs)
    assert a.pcs[0] == b.pcs[0]
    assert a.pc_hash != b.pc_hash
    same = trace_of(turns.call("turns", 5, trace="hash"))
    assert (same.pc_hash, same.address_hash, same.pcs) == (a.pc_hash, a.address_hash, ())


def test_repeated_string_instruction(source: Path) -> None:
    """`rep movsb` reads and writes once a turn, upwards; with a count of 0 it does nothing."""
    strings = target(source, "strings")
    trace = trace_of(strings.call("strings", bytearray(32), bytes(range(32)), 6, trace="full"))
    writes = [address for address, write in trace.accesses if write]
    assert writes == list(range(writes[0], writes[0] + 6))
    none = trace_of(strings.call("strings", bytearray(32), bytes(32), 0, trace="full"))
    assert not any(write for _, write in none.accesses)


@pytest.mark.parametrize(
    ("function", "arguments", "says"),
    [
        (
            "spin",
            (1,),
            r"spin on host: no return within 5000 instructions, PC 0x[0-9a-f]+ \(spin\)",
        ),
        (
            "poke",
            (1,),
            r"PC 0x[0-9a-f]+ \(poke\), instruction 1: SIGSEGV: it writes to 0xc00, which is not "
            r"its own",
        ),
        ("trap", (), r"\(trap\), instruction 1: stopped by SIGILL"),
        (
            "crooked",
            (),
            r"\(crooked\), instruction \d: SIGSEGV: it uses an address that no memory has",
        ),
        ("leap", (64,), r"leap on host: PC 0x40, instruction \d: SIGSEGV: it reads 0x40"),
    ],
)
def test_what_stops_a_call(
    source: Path, function: str, arguments: tuple[int, ...], says: str
) -> None:
    """Each is one line with the instruction and its function, and this process goes on as
    before."""
    host = target(source, function)
    host.instruction_limit = 5000
    for _ in range(2):
        with pytest.raises(CallError, match=says):
            host.call(function, *arguments, trace="hash")
    assert target(source, "leaf").call("leaf", 1, trace="hash").value == 2


def test_what_cannot_be_followed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An instruction whose addresses are not known, and a call that is too long, leave verdicts
    open and say why."""
    call = "void gather(const uint8_t key[16], uint8_t block[64])"
    source.write_text((SOURCE + MORE).replace("uint8_t *block)", "uint8_t block[64])"))
    (row,) = wardmote.measure(source, call, args=["key=random:secret"], cpus="host", runs=2)
    assert (row.constant_time, row.no_secret_branch, row.stack_octets) == (None, None, None)
    assert "host: nothing is said about constant time: the addresses of `bt " in answer([row])
    monkeypatch.setattr(stepped, "MOST_IN_ALL", 400)
    (row,) = wardmote.measure(
        source, CALLS["turns"], args=["n=5000"], cpus="host", runs=2, expect=["return=12497500"]
    )
    assert row.expected is True
    assert (
        row.unstepped
        == "more than 200 instructions a call are not followed (fewer --runs allow more)"
    )
    assert row.instructions is None


def test_function_that_ends_its_process(source: Path) -> None:
    """It ends a child, and the answer is one line."""
    with pytest.raises(CallError, match="quit on host: it ended its process instead of returning"):
        wardmote.measure(source, "void quit(void)", cpus="host", runs=2)


def test_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no single steps a call with a trace says so in one line, and one without a
    trace works."""
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    host = Host(BUILD / "stack" / "host" / "libwardmote.so", read_public(ROOT))
    with pytest.raises(
        CallError, match="single steps are for Linux on x86-64, this is Linux on riscv64"
    ):
        host.call("wm_aes128_tab_encrypt", bytes(176), bytearray(16), trace="hash")
    assert len(host.call("wm_aes128_tab_encrypt", bytes(176), bytearray(16)).buffers) == 2


@pytest.mark.parametrize(
    ("code", "want"),
    [
        (
            "ff7308",
            [("rbx", None, 1, 8, False), ("rsp", None, 1, -8, True)],
        ),  # push qword ptr [rbx + 8]
        (
            "83042405",
            [("rsp", None, 1, 0, False), ("rsp", None, 1, 0, True)],
        ),  # add dword ptr [rsp], 5
        ("0fb60443", [("rbx", "rax", 2, 0, False)]),  # movzx eax, byte ptr [rbx + 2 * rax]
        ("488b0500100000", [("rip", None, 1, 0x1007, False)]),  # mov rax, qword ptr [rip + 0x1000]
        ("488d0403", []),  # lea rax, [rbx + rax]
        ("c5fe7f07", [("rdi", None, 1, 0, True)]),  # vmovdqu ymmword ptr [rdi], ymm0
        ("660fdc06", [("rsi", None, 1, 0, False)]),  # aesenc xmm0, xmmword ptr [rsi]
        ("c9", [("rbp", None, 1, 0, False)]),  # leave
        ("0f1f4000", []),  # nop dword ptr [rax]
    ],
)
def test_accesses_of_instructions(
    code: str, want: list[tuple[str, str | None, int, int, bool]]
) -> None:
    """Explicit and implicit accesses, reads before writes."""
    found = Decoder().decode(bytes.fromhex(code), 0x1000)
    assert [
        (one.base, one.index, one.scale, one.displacement, one.write) for one in found.accesses
    ] == [
        (COLUMN[base], NONE if index is None else COLUMN[index], *rest)
        for base, index, *rest in want
    ]


def test_unknown_accesses_are_refused() -> None:
    """A gather by a vector of indices, and octets that are no instruction."""
    for code in ("c4e279900418", "0fa30e", "06"):
        with pytest.raises(DecodeError):
            Decoder().decode(bytes.fromhex(code), 0x1000)
    assert Decoder().decode(b"\x90", 0).accesses == ()
