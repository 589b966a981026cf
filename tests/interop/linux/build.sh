#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the kernel of the Linux peer, user-mode-linux, from Debian's linux-source-6.1. One number is changed:
# the room for a thread's registers (see below).
# usage: build.sh FOLDER
#
# FOLDER receives `linux` (a program), `include/net/nl802154.h` (for the agent), `config`, `version`, and last `inputs`,
# which says what they were made of: while that is what they would be made of today, nothing is done. All work is done
# in FOLDER/work, which is removed in the end, so an interrupted run leaves what was there before.
set -euo pipefail

package=linux-source-6.1
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: build.sh FOLDER}

die() {
    echo "peers: $*" >&2
    exit 1
}
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || die "user-mode-linux runs on Linux on x86-64 only; this is $(uname -s) on $(uname -m)"
command -v apt-cache >/dev/null 2>&1 || die "the kernel source is Debian's package $package, and there is no apt here"

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
case $folder in *[[:space:]:]*) die "a kernel cannot be built where the path has a space or a colon: $folder" ;; esac
exec 9>"$folder/lock"
flock 9

candidate() {
    apt-cache policy "$package" 2>/dev/null | sed -n 's/^ *Candidate: //p' | grep -vx '(none)' || true
}
update() {
    if [ "$(id -u)" -eq 0 ]; then
        apt-get update >&2
    elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        sudo apt-get update >&2
    else
        die "the package lists are missing or old; run this line, then repeat: sudo apt-get update"
    fi
}

version=$(candidate)
if [ -z "$version" ]; then
    update
    version=$(candidate)
fi
[ -n "$version" ] || die "no package $package here; it belongs to Debian 12 (bookworm)"
made_of() { # of what the kernel is made: the source's version, the compiler, the configuration, this recipe
    echo "$package $1"
    gcc --version | head -n 1
    cat "$here/kernel.config" "$here/build.sh" | sha256sum
}
[ -x "$folder/linux" ] && [ "$(made_of "$version")" = "$(cat "$folder/inputs" 2>/dev/null)" ] && exit 0

"$here/../../../scripts/setup_debian.sh" peers
work=$folder/work
log=$folder/build.log
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$work"
cd "$work"

download() { # apt checks what it fetches against the signed lists
    apt-get download -o APT::Sandbox::User=root "$package=$(candidate)" >>"$log" 2>&1
}
echo "peers: $package $version, about 140 MB" >&2
: >"$log"
download || { update && download; } || { tail -n 5 "$log" >&2 && die "$package cannot be fetched"; }
version=$(candidate)
inputs=$(made_of "$version")

echo "peers: unpacking" >&2
dpkg-deb --fsys-tarfile "$package"_*.deb | tar -xO "./usr/src/$package.tar.xz" >source.tar.xz
rm "$package"_*.deb
# Of drivers that are not built, only what describes them is unpacked.
unused=()
for part in Documentation sound drivers/{gpu,media,staging,scsi,infiniband,net/ethernet,net/wireless}; do
    unused+=("--exclude=$package/$part/*."{c,h,rst})
done
tar -xJf source.tar.xz "${unused[@]}"
rm source.tar.xz
cd "$package"

# The room that the guest has for the host's floating-point state ends with AVX-512. A host with AMX has more of it, and
# refuses to set a part: the guest's first program would end with "set fp regs failed". The state lies on the kernel's
# stack, so kernel.config has a larger one.
room=arch/x86/um/user-offsets.c
sed -i 's/HOST_FP_SIZE, 2696)/HOST_FP_SIZE, 12288)/' "$room"
grep -q 'HOST_FP_SIZE, 12288)' "$room" || die "$room has no HOST_FP_SIZE of 2696 octets: look how large it is now"

kernel() { # the kernel's own make, which is to know nothing of ours
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s ARCH=um "$@" >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        die "make ARCH=um $* failed; all of it is in $log"
    }
}
kernel KCONFIG_ALLCONFIG="$here/kernel.config" allnoconfig
grep '^CONFIG_' "$here/kernel.config" | while read -r line; do
    grep -qxF "$line" .config || die "the kernel's configuration did not take $line"
done
echo "peers: building user-mode-linux ($(grep -c '=y$' .config) options), some minutes" >&2
began=$SECONDS
kernel -j"$(nproc)" linux
strip linux

rm -f "$folder/inputs"
mkdir -p "$folder/include/net"
mv linux "$folder/linux"
mv .config "$folder/config"
cp include/net/nl802154.h "$folder/include/net/"
echo "$version" >"$folder/version"
echo "$inputs" >"$work/inputs"
mv "$work/inputs" "$folder/inputs"
echo "peers: built in $((SECONDS - began)) s" >&2
