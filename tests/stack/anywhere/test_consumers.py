# SPDX-License-Identifier: BSD-3-Clause
"""Programs of other projects use the stack: by make and pkg-config, by CMake in each way, and by a
wildcard."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.stack.anywhere.copies import FRAMES, keep

VERSION = "0.1.0"
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror")
CONSUMER = Path(__file__).resolve().parent / "consumer"
QUICK = "-O0"
"""Compilers take half the time. What make and CMake ask of them by themselves is compiled by the
tests of toolchains and of the first program; the whole stack by those and by a wildcard."""
DOCUMENT = "docs/how-do-i-use-the-stack-in-my-project.md"


def run(*command: str | Path, **environment: str) -> str:
    """Standard output of a command that succeeds."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def section(root: Path, title: str) -> str:
    """A part of the document."""
    return (root / DOCUMENT).read_text().split(f"## {title}\n")[1].split("\n## ")[0]


def project(stack: Path) -> Path:
    """A project beside the stack: a program, and a source that includes every public header
    twice."""
    folder = Path(shutil.copytree(CONSUMER, stack.parent / "consumer"))
    include = stack / "include"
    names = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))
    assert len(names) > 40
    lines = [f"#include <{name}>\n" for name in names]
    (folder / "every_header.cpp").write_text("".join(lines + lines[::-1]))
    return folder


def test_installed_by_make(few: Path, tmp_path: Path) -> None:
    """`make check` passes, and fails with a broken library; what `make install` puts below DESTDIR
    compiles C++17 programs by two compilers, which pkg-config tells how."""
    made, staged = tmp_path / "made", tmp_path / "root"
    flags = ("CPPFLAGS=-DWM_PSDU_MAX=2047", f"CFLAGS={QUICK}")
    make = ("make", "-s", "-C", few, f"BUILD={made}", *flags)
    run(*make, "check")
    run(*make, "install", f"DESTDIR={staged}", "PREFIX=/opt/w")
    found = {str(path.relative_to(staged)) for path in staged.rglob("*") if path.is_file()}
    names = ("wardmote", "wardmote-small")
    wanted = {f"opt/w/lib/lib{name}.a" for name in names}
    wanted |= {f"opt/w/lib/pkgconfig/{name}.pc" for name in names}
    headers = {f"opt/w/{path.relative_to(few)}" for path in (few / "include").rglob("*.h")}
    assert found == wanted | headers

    folder = project(few)
    program_source = folder / "consumer.cpp"
    sources = (program_source, folder / "every_header.cpp")
    places = {"prefix": "", "libdir": "/lib", "includedir": "/include"}
    moved = (f"--define-variable={name}={staged}/opt/w{place}" for name, place in places.items())
    describe = ("pkg-config", *moved)
    path = {"PKG_CONFIG_PATH": f"{staged}/opt/w/lib/pkgconfig"}
    for name, compiler in zip(names, ("g++", "clang++-22"), strict=True):
        assert run(*describe, "--modversion", name, **path).strip() == VERSION
        told = run(*describe, "--cflags", "--libs", name, **path).split()
        program = tmp_path / name
        run(compiler, "-std=c++17", *STRICT, *sources, *told, "-o", program)
        assert run(program) == f"{VERSION} 42 2047\n", "lengths as wide as the library's"
        usual = [word for word in told if not word.startswith("-DWM_")]
        words: list[str | Path] = [compiler, "-std=c++17", program_source, *usual, "-o", program]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert "wm_frame_secure" in done.stderr, "lengths of other widths do not link"

    run(*make, "uninstall", f"DESTDIR={staged}", "PREFIX=/opt/w")
    assert not [path for path in staged.rglob("*") if path.is_file()]

    source = few / "src/cipher/aes128_sbox_values.h"
    text = source.read_text()
    assert text.count("X(0x63)") == 1
    source.write_text(text.replace("X(0x63)", "X(0x62)"))
    done = subprocess.run([*make, "check"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "check: libwardmote.a fails at step 1" in done.stderr


def test_the_commands_of_the_document(root: Path, few: Path) -> None:
    """In a copy with a program beside it, what the document says first builds the program."""
    shutil.copy(root / "examples/secure_frame.c", few.parent / "app.c")
    commands = re.split(r"\n\n", section(root, "With make"))[1]
    assert commands.count("\n") == 5
    said = run("sh", "-e", "-c", f"cd {few}\n{commands}\n./app", CFLAGS=QUICK)
    assert "check: libwardmote-small.a is right\n" in said
    assert said.endswith("\n21.5 degrees\n")


def test_make_refuses_an_unknown_arch(alone: Path) -> None:
    """Assembly for a CPU that there is not is no wish for C alone."""
    for arch, code in (("armv7", 2), ("armv7m", 0), ("", 0)):
        words = ["make", "-n", "-C", str(alone), f"ARCH={arch}"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == code
        refused = "ARCH is armv7: possible are armv7m avr msp430, or nothing for C alone"
        assert (refused in done.stderr) is (code == 2)


def test_the_first_program(root: Path, own: Path) -> None:
    """The commands at the head of the example and in the document build and run it beside the
    stack."""
    examples = own.parent / "examples"
    examples.mkdir()
    example = Path(shutil.copy(root / "examples/secure_frame.c", examples))
    commands = re.findall(r"^//   (\S.*)$", example.read_text(), re.MULTILINE)
    first = section(root, "A first program")
    assert re.findall(r"^    (\S.*)$", first, re.MULTILINE) == commands
    said = run("sh", "-e", "-c", f"cd {own.parent}; " + "; ".join(commands))
    assert said.endswith("\n21.5 degrees\n")


def cmake(source: Path, folder: Path, *options: str) -> None:
    """Configures and builds. Without a message for each file, a third of the processes are gone."""
    quick = (f"-DCMAKE_C_FLAGS_RELEASE={QUICK}", "-DCMAKE_RULE_MESSAGES=OFF")
    run("cmake", "-S", source, "-B", folder, *quick, *options)
    run("cmake", "--build", folder)


def with_every_header(folder: Path, made: Path) -> None:
    """Puts the generated source where the consumer's CMakeLists.txt looks for it."""
    made.mkdir()
    shutil.copy(folder / "every_header.cpp", made)


def test_found_by_cmake(few: Path, tmp_path: Path) -> None:
    """The stack is built, checked and installed by CMake; another project finds and links it."""
    made, installed = tmp_path / "made", tmp_path / "installed"
    options = (f"-DCMAKE_INSTALL_PREFIX={installed}", "-DWARDMOTE_SMALL=OFF")
    cmake(few, made, *options, "-DWARDMOTE_PSDU_MAX=2047", "-DWARDMOTE_FCS_LEN=2")
    assert "100% tests passed, 0 tests failed out of 1" in run("ctest", "--test-dir", made)
    run("cmake", "--install", made)
    assert {path.name for path in installed.rglob("*.a")} == {"libwardmote.a"}
    described = (installed / "lib/pkgconfig/wardmote.pc").read_text()
    assert f"Version: {VERSION}\n" in described
    assert described.endswith("includedir} -DWM_PSDU_MAX=2047 -DWM_FCS_LEN=2\n")

    folder, built = project(few), tmp_path / "built"
    with_every_header(folder, built)
    cmake(folder, built, "-DWAY=find", "-DUSED=wardmote", f"-DCMAKE_PREFIX_PATH={installed}")
    assert run(built / "consumer") == f"{VERSION} 42 2047\n"


def test_a_subdirectory_of_cmake(few: Path, tmp_path: Path) -> None:
    """A project with the stack as a folder of its own links the small form, and builds only it."""
    folder, built = project(few), tmp_path / "built"
    with_every_header(folder, built)
    cmake(folder, built, "-DWAY=subdirectory", "-DUSED=small", f"-DSTACK={few}")
    assert run(built / "consumer") == f"{VERSION} 42 127\n"
    assert {path.name for path in built.rglob("*.a")} == {"libwardmote-small.a"}


def test_fetched_by_cmake(few: Path, tmp_path: Path) -> None:
    """FetchContent takes the stack out of a repository, where it is the folder stack/, and builds
    the form that is linked, and only it."""
    folder, built, repository = project(few), tmp_path / "built", few.parent
    with_every_header(folder, built)
    git = ("git", "-C", repository, "-c", "user.name=w", "-c", "user.email=w@example.org")
    run("git", "init", "-q", "-b", "main", repository)
    run(*git, "add", "stack")
    run(*git, "commit", "-q", "-m", "the stack")
    cmake(folder, built, "-DWAY=fetch", "-DUSED=wardmote", f"-DREPOSITORY=file://{repository}")
    assert run(built / "consumer") == f"{VERSION} 42 127\n"
    assert {path.name for path in built.rglob("*.a")} == {"libwardmote.a"}
    assert not list(built.rglob("wardmote.pc")), "a part of another project installs nothing"


TOOLCHAIN_FILE = """set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m33 -mthumb")
set(CMAKE_ASM_FLAGS_INIT "-mcpu=cortex-m33 -mthumb")
"""


def test_a_toolchain_file_of_cmake(own: Path, tmp_path: Path) -> None:
    """A toolchain file builds the stack for a Cortex-M33, with the assembly of ARMv7-M in place of
    its C. Beside the sources of frames stand those that the assembly replaces."""
    assembly = {path.name for path in (own / "arch/armv7m").glob("*.S")}
    assert len(assembly) > 15
    keep(own, *FRAMES, *(f"*/{name.removesuffix('.S')}.c" for name in assembly))
    (tmp_path / "arm.cmake").write_text(TOOLCHAIN_FILE)
    options = [f"-DCMAKE_TOOLCHAIN_FILE={tmp_path}/arm.cmake", "-DWARDMOTE_ARCH=armv7m"]
    cmake(own, tmp_path / "made", *options, "-DWARDMOTE_CHECK=OFF", "-DWARDMOTE_SMALL=OFF")
    members = run("arm-none-eabi-ar", "t", tmp_path / "made/libwardmote.a").split()
    stems = [name.split(".")[0] for name in members]
    assert {name.removesuffix(".obj") for name in members} >= assembly
    assert len(stems) == len(set(stems)) == len(list((own / "src").glob("*/*.c")))

    refused = subprocess.run(
        ["cmake", "-S", own, "-B", tmp_path / "no", "-DWARDMOTE_ARCH=z80"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert "WARDMOTE_ARCH is z80" in refused.stderr


def test_a_wildcard_links(alone: Path, tmp_path: Path) -> None:
    """All C files at once, by clang, make a program that passes the self-test: by themselves the
    form for speed, with one macro the small form. Only the former has the tables. Files in which
    neither they nor a header of theirs names the macro are the same in both, and are compiled once.
    """
    everything = {path: path.read_text() for path in sorted(alone.rglob("*.[ch]"))}
    named = [path.name for path, text in everything.items() if "WM_FORM_SMALL" in text]
    headers = [f'#include "{name}"' for name in named if name.endswith(".h")]
    assert headers == [f'#include "{name}"' for name in ("aes128_forward.h", "ccm_begin.h")], (
        "no header of these includes another of them"
    )
    forms = [
        path
        for path, text in everything.items()
        if path.suffix == ".c" and (path.name in named or any(map(text.__contains__, headers)))
    ]
    rest = [path for path in everything if path.suffix == ".c" and path not in forms]
    words = ("clang-22", "-std=c11", f"-I{alone}/include", "-Wall", "-Wextra", "-Werror")
    run("env", "-C", tmp_path, *words, "-DWM_SELF_TEST", "-c", *rest)
    objects = [tmp_path / f"{path.stem}.o" for path in rest]
    port = [f"-Wl,--defsym={name}=0" for name in sorted(port_names(alone))]
    for name, form, has_table in (("speed", "-O0", True), ("small", "-DWM_FORM_SMALL", False)):
        run(*words, form, *forms, *objects, *port, "-o", tmp_path / name)
        run(tmp_path / name)
        assert ("wm_curupira_sbox" in run("nm", tmp_path / name)) is has_table


def port_names(alone: Path) -> set[str]:
    """What a board supplies: the names in the headers of port/."""
    text = "".join(path.read_text() for path in (alone / "include/wardmote/port").glob("*.h"))
    return set(re.findall(r"\bwm_port_[a-z_]*[a-z]\b", text))
