# SPDX-License-Identifier: BSD-3-Clause
# Shortens the assembler's text that clang writes for the MSP430, where flash counts most.
#
#   0(rN) as a source      becomes @rN: two octets and a cycle less.
#   push rK ... push r10   three registers or more: call #wm_saved_K
#   pop r10 ... pop rK     two or more, and ret: br #wm_restored_K
#   call f, ret            becomes br f.
#
# arch/msp430/small/saved.S has the functions. What this file does not know it leaves as it is.
# Directives of call frames that stood between pushes come behind the call, those between pops
# behind the branch: there they are true.

function instruction() { return $0 ~ /^\t[a-z]/ }

# A label that code may go to; .Ltmp are those of debug information.
function label() { return /^[.A-Za-z_].*:/ && !/^\.Ltmp/ }

function flush_pushes(    i) {
    if (pushes >= 3 && last == 10) {
        print "\tcall\t#wm_saved_" first
    } else {
        for (i = 0; i < pushes; i++) print "\tpush\tr" (first + i)
    }
    printf "%s", held
    held = ""
    pushes = 0
}

function flush_pops(    i) {
    for (i = 0; i < pops; i++) print text[i]
    printf "%s", held
    held = ""
    pops = 0
}

function flush_call() {
    print call
    printf "%s", held
    call = held = ""
}

# Between pushes or pops, or behind a call: what is no instruction waits.
(pushes || pops || call) && !instruction() && !label() { held = held $0 "\n"; next }

call && $1 == "ret" {
    sub(/call/, "br", call)
    flush_call()
    next
}
call { flush_call() }
$1 == "call" { call = $0; next }

pushes && $1 == "push" && $2 == "r" (last + 1) { last++; pushes++; next }
pushes { flush_pushes() }
$1 == "push" && $2 ~ /^r([4-9]|10)$/ {
    first = last = substr($2, 2) + 0
    pushes = 1
    next
}

pops && $1 == "pop" && $2 == "r" (last - 1) { last--; text[pops++] = $0; next }
pops >= 2 && $1 == "ret" {
    print "\tbr\t#wm_restored_" last
    printf "%s", held
    held = ""
    pops = 0
    next
}
pops { flush_pops() }
$1 == "pop" && $2 == "r10" { last = 10; text[0] = $0; pops = 1; next }

/^\t[a-z]+(\.b)?\t0\(r[0-9]+\),/ { sub(/\t0\(/, "\t@"); sub(/\),/, ",") }

{ print }

END {
    if (call) flush_call()
    if (pushes) flush_pushes()
    if (pops) flush_pops()
}
