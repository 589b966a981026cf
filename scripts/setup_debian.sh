#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Debian packages whose programs are missing; says nothing when all are there. Rust is looked for, not installed.
# usage: setup_debian.sh [peers | hdl]: with `peers`, also what the build of a kernel needs; with `hdl`,
# what places and routes the coprocessor
set -eu

rust_least=1.85
python_least=3.11

missing=()
need() { # need PROGRAM PACKAGE...: the packages are wanted if the program is not on PATH
    command -v "$1" >/dev/null 2>&1 || missing+=("${@:2}")
}
need make make
need git git
need clang-22 clang-22 libclang-rt-22-dev
need ld.lld-22 lld-22
need llvm-objcopy-22 llvm-22
need clang-format-22 clang-format-22
need tshark tshark
need mspdebug mspdebug
need simavr simavr
need gdb-multiarch gdb-multiarch
need avr-gdb gdb-avr
need lldb-22 lldb-22 # Debian has no gdb for the MSP430
need arm-none-eabi-gcc gcc-arm-none-eabi
[ -f /usr/lib/arm-none-eabi/lib/nano.specs ] || missing+=(libnewlib-arm-none-eabi) # programs in the idioms of others
# Headers and linker scripts of mspgcc, whose compiler Debian no longer has.
[ -f /usr/msp430/include/msp430f1611.h ] || missing+=(msp430mcu)
need avr-gcc gcc-avr binutils-avr
need powerpc-linux-gnu-gcc gcc-powerpc-linux-gnu libc6-dev-powerpc-cross
need s390x-linux-gnu-gcc gcc-s390x-linux-gnu libc6-dev-s390x-cross
need qemu-ppc qemu-user
need riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf
need g++ g++
need cmake cmake
need pkg-config pkgconf
need doxygen doxygen
need valgrind valgrind libc6-dbg # another witness that secrets decide nothing
need chromium chromium fonts-dejavu-core # the pages of a report are tested in it
need ghdl-gcc ghdl-gcc
need yosys yosys
# Arduino's core has no program. It is what the Arduino library of the stack is built against.
[ -d /usr/share/arduino/hardware/arduino/avr/cores ] || missing+=(arduino-core-avr avr-libc)
[ -f /usr/lib/avr/lib/avr51/libm.a ] || missing+=(avr-libc) # floating point of measured functions
need python3 python3 python3-venv
need gcc gcc libc6-dev
if [ "${1:-}" = peers ]; then # what `make peers` needs to build a kernel, and nobody else
    need flex flex
    need bison bison
    need bc bc
    need xz xz-utils
    need strip binutils
    need linux.uml user-mode-linux # a Linux that nobody changed
    need ip iproute2
    need iwpan wpan-tools
fi
if [ "${1:-}" = hdl ]; then # what `make hdl` needs to place and route, and nobody else
    need nextpnr-ice40 nextpnr-ice40
fi
if command -v python3 >/dev/null 2>&1; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
fi
if command -v clang-22 >/dev/null 2>&1; then # libFuzzer
    echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n; }' |
        clang-22 -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null || missing+=(libclang-rt-22-dev)
fi
if command -v gcc >/dev/null 2>&1; then
    echo 'int main(void) { return 0; }' | gcc -x c - -o /dev/null 2>/dev/null || missing+=(libc6-dev)
    echo '#include <simavr/sim_avr.h>' | gcc -isystem /usr/include/simavr -x c -fsyntax-only - 2>/dev/null ||
        missing+=(libsimavr-dev)
fi

install() { # the package lists are fetched only when the install needs newer ones
    local as=("$@")
    "${as[@]}" apt-get install -y --no-install-recommends "${missing[@]}" </dev/null && return
    "${as[@]}" apt-get update </dev/null
    "${as[@]}" apt-get install -y --no-install-recommends "${missing[@]}" </dev/null
}

if [ ${#missing[@]} -gt 0 ]; then
    echo "setup: installing ${missing[*]}" >&2
    line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "setup: no apt-get here; install what your system calls: ${missing[*]}" >&2
        exit 1
    elif [ "$(id -u)" -eq 0 ]; then
        install env DEBIAN_FRONTEND=noninteractive >&2
    elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        install sudo env DEBIAN_FRONTEND=noninteractive >&2
    else
        echo "setup: needs root; run this line, then repeat: sudo sh -c '$line'" >&2
        exit 1
    fi
fi

at_least() { # at_least HAVE LEAST
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]
}
if ! command -v cargo >/dev/null 2>&1 || ! command -v rustc >/dev/null 2>&1; then
    echo "setup: no Rust on PATH; wardmote needs $rust_least or newer (Debian 12 carries 1.63): see https://rustup.rs" >&2
    exit 1
fi
rust_have=$(rustc --version | cut -d' ' -f2)
if ! at_least "$rust_have" "$rust_least"; then
    echo "setup: rustc on PATH is $rust_have; wardmote needs $rust_least or newer: see https://rustup.rs" >&2
    exit 1
fi
python_have=$(python3 -c 'import platform; print(platform.python_version())')
if ! at_least "$python_have" "$python_least"; then
    echo "setup: python3 on PATH is $python_have; wardmote needs $python_least or newer" >&2
    exit 1
fi
