# SPDX-License-Identifier: BSD-3-Clause
# Shortens the assembler's text that clang writes for the MSP430, where flash counts most.
#
#   0(rN) as a source      becomes @rN: two octets and a cycle less.
#   push rK ... push r10   three registers or more: call #wm_saved_K
#   pop r10 ... pop rK     two or more, and ret: br #wm_restored_K
#   call f, ret            becomes br f.
#
# arch/msp430/small/saved.S has the functions. What this file does not know it leaves as it is, and
# where it is. A handler of an interrupt pushes r11 behind r10, and its pushes stay: what would be
# called changes r11.
# Directives of call frames that stood between pushes come behind the call, those between pops
# behind the branch: there they are true.

# What is no code: nothing goes to it and it has no octets. .Ltmp are labels of debug information,
# but for those whose addresses the program takes.
function no_code() {
    return /^\t\.(loc|cfi_[a-z_]+)[ \t]/ || /^\t\.cfi_[a-z]+$/ || /^[ \t]*;/ || /^\.Ltmp[0-9]+:$/
}

# Prints code that waited, and what waited behind it.
function flush(code) {
    printf "%s%s", code, held
    held = call = ""
    pushes = pops = 0
}

function flush_pushes(    i, text) {
    if (pushes >= 3 && last == 10) {
        text = "\tcall\t#wm_saved_" first "\n"
    } else {
        for (i = 0; i < pushes; i++) text = text "\tpush\tr" (first + i) "\n"
    }
    flush(text)
}

function flush_pops(    i, text) {
    for (i = 10; i >= last; i--) text = text "\tpop\tr" i "\n"
    flush(text)
}

# Between pushes or pops, or behind a call: what is no code waits.
(pushes || pops || call) && no_code() { held = held $0 "\n"; next }

# What waits goes on, or ends here.
pushes && $1 == "push" && $2 == "r" (last + 1) { last++; pushes++; next }
pops && $1 == "pop" && $2 == "r" (last - 1) { last--; pops++; next }
pops >= 2 && $1 == "ret" { flush("\tbr\t#wm_restored_" last "\n"); next }
call && $1 == "ret" { sub(/call/, "br", call); flush(call "\n"); next }
pushes { flush_pushes() }
pops { flush_pops() }
call { flush(call "\n") }

# What begins to wait.
$1 == "call" { call = $0; next }
$1 == "push" && $2 ~ /^r([4-9]|10)$/ { first = last = substr($2, 2) + 0; pushes = 1; next }
$1 == "pop" && $2 == "r10" { last = 10; pops = 1; next }

/^\t[a-z]+(\.b)?\t0\(r[0-9]+\),/ { sub(/\t0\(/, "\t@"); sub(/\),/, ",") }

{ print }

END {
    if (pushes) flush_pushes()
    if (pops) flush_pops()
    if (call) flush(call "\n")
}
