# SPDX-License-Identifier: BSD-3-Clause
"""Any code: several calls in order, global objects, members of structures, pointers to functions, and
C++."""

import json
from pathlib import Path

import pytest

import wardmote
from tests.bench.refusals import check_refused
from wardmote import cli
from wardmote.cpus import CPU_NAMES
from wardmote.measurements.function.files import PLACES

FILE = (
    "cipher.c",
    """#include <stddef.h>
#include <stdint.h>

struct part {
    uint16_t limit;
};
struct ctx {
    const uint8_t *key;
    uint8_t *log;
    uint8_t sub[8];
    struct part part;
    uint8_t (*mix)(uint8_t);
};
static uint8_t calls;
uint8_t master[8] = {1, 2, 3, 4, 5, 6, 7, 8};
uint16_t level = 5;
const uint8_t fixed[4] = {9, 9, 9, 9};

uint8_t twist(uint8_t v) { return (uint8_t)(v << 1 | v >> 7); }
uint8_t same(uint8_t v) { return v; }
void init(struct ctx *ctx, const uint8_t seed[8])
{
    for (uint8_t i = 0; i < 8; i++)
        ctx->sub[i] = (uint8_t)(ctx->key[i] ^ seed[i] ^ master[i]);
    calls = (uint8_t)(calls + 3);
}
int encrypt(const struct ctx *ctx, uint8_t block[8])
{
    for (uint8_t i = 0; i < 8; i++)
        block[i] = ctx->mix((uint8_t)(block[i] ^ ctx->sub[i]));
    return calls + (int)level + ctx->part.limit;
}
int first(const struct ctx *ctx)
{
    return ctx->sub[0] > 100 ? 1 : 2; /* the branch */
}
void note(struct ctx *ctx, uint8_t value) { ctx->log[1] = value; }
void beyond(struct ctx *ctx) { ctx->log[2] = 1; }
void cheat(const struct ctx *ctx) { ((struct ctx *)(uintptr_t)ctx)->sub[0] ^= 1; }
uint8_t apply(uint8_t (*f)(uint8_t), uint8_t value) { return f(value); }
uint8_t all(const uint8_t *octets, uint8_t n)
{
    uint8_t sum = 0;
    while (n--)
        sum = (uint8_t)(sum + *octets++);
    return sum;
}
uint8_t sum_of(const void *octets)
{
    return all(octets, 8);
}
uint8_t again(void)
{
    return ++calls;
}
void for_ever(void)
{
    for (;;)
        calls++;
}
""",
)
INIT = "void init(struct ctx *ctx, const uint8_t seed[8])"
ENCRYPT = "int encrypt(const struct ctx *ctx, uint8_t block[8])"
ZERO = "hex:0000000000000000"
EVERY = PLACES


def test_outputs_of_earlier_calls_are_kept(source: Path) -> None:
    """The key schedule that `init` leaves in its structure, and the object that it counts in, are
    there for `encrypt`, on every CPU."""
    args = {"ctx.key": "hex:0102030405060708", "seed": ZERO, "ctx.mix": "twist", "block": ZERO}
    rows = wardmote.measure(
        source,
        [INIT, ENCRYPT],
        args=args,
        globals={"master": "hex:8000000000000000", "level": "7"},
        expect={"block": "hex:030406080a0c0e10", "return": "10"},
        cpus=EVERY,
        runs=3,
    )
    assert [row.cpu for row in rows] == list(EVERY)
    assert all(row.failure is None and row.holds and row.expected for row in rows)
    assert {row.operation for row in rows} == {"encrypt"}
    assert {row.prototype for row in rows} == {f"{INIT}; {ENCRYPT}"}
    assert "global level=7" in rows[0].arguments


def test_only_the_last_call_is_counted(source: Path) -> None:
    """`encrypt` costs the same behind `init` as alone with the schedule given."""
    alone = wardmote.measure(
        source, ENCRYPT, args=["ctx.sub=random", "ctx.mix=twist"], cpus=CPU_NAMES, runs=2
    )
    behind = wardmote.measure(
        source, [INIT, ENCRYPT], args=["ctx.key=random:8", "ctx.mix=twist"], cpus=CPU_NAMES, runs=2
    )
    assert [row.cycles_max for row in alone] == [row.cycles_max for row in behind]
    assert [row.stack_octets for row in alone] == [row.stack_octets for row in behind]
    profiles = wardmote.profile(
        source, [INIT, ENCRYPT], args=["ctx.key=random:8", "ctx.mix=twist"], cpus=CPU_NAMES
    )
    assert [one.cycles for one in profiles] == [row.cycles_median for row in behind]
    assert all("init" not in {part.function for part in one.functions} for one in profiles)


@pytest.mark.parametrize("secret", ["key", "master"])
def test_secrets_go_through_earlier_calls(source: Path, secret: str) -> None:
    """A secret member, or a secret object, that `init` mixes decides a branch later."""
    args, objects = ["ctx.key=random:8:secret"], []
    if secret == "master":
        args, objects = ["ctx.key=random:8"], ["master=random:secret"]
    rows = wardmote.measure(
        source, [INIT, "int first(const struct ctx *ctx)"], args=args, globals=objects,
        cpus="msp430,avr,host",
    )  # fmt: skip
    name = {"key": "ctx.key", "master": "master"}[secret]
    line = next(n for n, text in enumerate(FILE[1].splitlines(), 1) if "the branch" in text)
    for row in rows:
        assert row.secrets == (name,)
        if row.cpu != "host":  # where the compiler needs no branch
            assert row.no_secret_branch is False
            assert row.leaks[0].source == f"cipher.c:{line}"
            assert set(row.leaks[0].secrets_first) == {name}


def test_state_begins_anew_with_every_run(source: Path) -> None:
    """The third of three calls counts to 3 in each of ten runs, on every CPU."""
    rows = wardmote.measure(
        source, ["uint8_t again(void)"] * 3, expect=["return=3"], cpus=EVERY, runs=10
    )
    assert all(row.expected for row in rows)


def test_members(source: Path) -> None:
    """Numbers, arrays, members of members, and what members point to; the latter is an output."""
    rows = wardmote.measure(
        source,
        ENCRYPT,
        args={"ctx.sub": ZERO, "ctx.part.limit": "300", "ctx.mix": "same", "block": "zero"},
        expect={"return": "305", "block": ZERO},
        cpus=EVERY,
        runs=1,
    )
    assert all(row.expected for row in rows)
    rows = wardmote.measure(
        source,
        "void note(struct ctx *ctx, uint8_t value)",
        args={"ctx.log": "hex:0102", "value": "0x5a"},
        expect={"ctx.log": "hex:015a"},
        cpus=EVERY,
        runs=1,
    )
    assert all(row.expected for row in rows)


def test_pointers_to_functions_and_objects(source: Path) -> None:
    """A name passes the address of what it names."""
    call = "uint8_t apply(uint8_t (*f)(uint8_t), uint8_t value)"
    for function, want in (("twist", 3), ("same", 0x81)):
        rows = wardmote.measure(
            source, call, args={"f": function, "value": "0x81"}, expect={"return": str(want)},
            cpus=EVERY, runs=1,
        )  # fmt: skip
        assert all(row.expected for row in rows)
    rows = wardmote.measure(
        source, "uint8_t sum_of(const void *octets)", args=["octets=master"],
        expect=["return=36"], cpus=EVERY, runs=1,
    )  # fmt: skip
    assert all(row.expected for row in rows)


CPP = """#include <stdint.h>

namespace {
template <unsigned N> uint8_t folded(const uint8_t *octets)
{
    uint8_t all = 0;
    for (unsigned i = 0; i < N; i++)
        all = static_cast<uint8_t>((all << 1 | all >> 7) ^ octets[i]);
    return all;
}
}
uint8_t fold(const uint8_t key[16]) { return folded<16>(key); }
extern "C" uint8_t plain(const uint8_t key[16]) { return folded<8>(key); }
uint8_t twice(uint8_t v) { return static_cast<uint8_t>(v * 2); }
uint16_t twice(uint16_t v) { return static_cast<uint16_t>(v * 2); }
"""


def test_cpp(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Functions of C++ by their plain names, on every CPU; of overloads none is meant."""
    path = tmp_path / "box.cpp"
    path.write_text(CPP)
    for name in ("fold", "plain"):
        rows = wardmote.measure(
            path, f"uint8_t {name}(const uint8_t key[16])", args=["key=random:secret"],
            cpus=EVERY, runs=4,
        )  # fmt: skip
        assert all(row.failure is None and row.holds for row in rows)
        assert all(row.constant_time for row in rows if row.cpu != "host32")
        assert {row.operation for row in rows} == {name}
    says = "box.cpp has several functions twice: twice(unsigned char); twice(unsigned short)"
    words = ("measure", str(path), "--call", "uint8_t twice(uint8_t v)", "--arg", "v=1")
    check_refused(capsys, says, *words, "--cpu", "host")
    path.write_text("#include <stdint.h>\nint f(void) { return g(); }\n")
    words = ("measure", str(path), "--call", "int f(void)", "--cpu", "avr")
    check_refused(capsys, "box.cpp:2:", *words)


@pytest.mark.parametrize(
    ("calls", "words", "says"),
    [
        (("void init(int n)", ENCRYPT), ("--arg", "n=1"), "does not match cipher.c: conflicting"),
        (("void gone(void)", ENCRYPT), (), "no function gone in cipher.c"),
        (("", ENCRYPT), (), "'' is no prototype"),
        ((INIT, "void first(struct part *ctx)"), (), "parameter ctx has different types in the"),
        ((ENCRYPT,), ("--arg", "ctx.kee=zero"), "argument ctx.kee: ctx has no member kee; it has"),
        ((ENCRYPT,), ("--arg", "block.key=zero"), "argument block.key: block points to no struct"),
        ((ENCRYPT,), ("--arg", "cty.key=zero"), "no parameter 'cty'"),
        ((ENCRYPT,), ("--arg", "ctx.key=zero"), "how long ctx.key is: give --arg ctx.key=random:"),
        ((ENCRYPT,), ("--arg", "ctx.sub=zero:9"), "argument ctx.sub has 9 octets, the member 8"),
        ((ENCRYPT,), ("--arg", "ctx.part.limit=70000"), "70000 is not within 0 to 65535"),
        ((ENCRYPT,), ("--arg", "ctx.key=5"), "argument ctx.key is no number"),
        ((ENCRYPT,), ("--arg", "ctx.mix=random"), "give --arg ctx.mix=FUNCTION"),
        ((ENCRYPT,), ("--arg", "ctx.mix=nowhere", "--cpu", "avr"), "no symbol nowhere"),
        ((ENCRYPT,), ("--arg", "ctx.sub=magic"), "argument ctx.sub: no value 'magic'"),
        ((ENCRYPT,), ("--global", "masted=random"), "no declaration says how long masted is"),
        ((ENCRYPT,), ("--global", "masted=random:2", "--cpu", "avr"), "masted"),
        ((ENCRYPT,), ("--global", "master=random:9", "--cpu", "avr"), "of 8 octets, not 9"),
        ((ENCRYPT,), ("--global", "master=random:9", "--cpu", "host"), "of 8 octets, not 9"),
        ((ENCRYPT,), ("--global", "master=zero:secret"), "master is secret, and cannot be fixed"),
        ((ENCRYPT,), ("--global", "level=70000"), "level: 70000 does not fit 2 octets"),
        (
            ("void beyond(struct ctx *ctx)",),
            ("--arg", "ctx.log=zero:2"),
            "wrote 1 octets past the end of ctx.log (2 octets)",
        ),
        (
            (INIT, "void cheat(const struct ctx *ctx)"),
            ("--arg", "ctx.key=zero:8", "--cpu", "msp430"),
            "cheat on msp430 wrote into ctx, which it declares const",
        ),
        (
            ("void for_ever(void)", "uint8_t again(void)"),
            ("--cpu", "msp430", "--cycle-limit", "10000"),
            "for_ever: no return within 10000 cycles",
        ),
        (("uint8_t apply(uint8_t (*f)(uint8_t), uint8_t value)",), ("--arg", "value=1"), "=FUNC"),
    ],
)
def test_what_is_refused(
    source: Path,
    capsys: pytest.CaptureFixture[str],
    calls: tuple[str, ...],
    words: tuple[str, ...],
    says: str,
) -> None:
    """One line, and exit code 2."""
    given = [word for call in calls for word in ("--call", call)]
    check_refused(capsys, says, "measure", str(source), *given, *words, "--runs", "1")


def test_command(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The options of the command line are those of Python."""
    words = ["measure", str(source), "--call", INIT, "--call", ENCRYPT, "--format", "json"]
    words += ["--arg", "ctx.key=random:8:secret", "--arg", "ctx.mix=twist"]
    words += ["--global", "level=random", "--cpu", "msp430", "--runs", "2"]
    assert cli.main(words) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row["secrets"] == ["ctx.key"]
    assert row["constant_time"] is True
