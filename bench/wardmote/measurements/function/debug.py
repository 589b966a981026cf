# SPDX-License-Identifier: BSD-3-Clause
"""Compares prototypes with the debug information of what was compiled elsewhere: number, kind and
size of the parameters, and the result."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wardmote.errors import UsageError
from wardmote.measurements.function.prototype import Call
from wardmote.prototypes import Code, DataModel, Pointer, Prototypes, Record, Scalar, Type, Void

PASSED_THROUGH = (
    "DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type",
)  # fmt: skip
FLOATING = 4
"""DW_ATE_float."""
ASSEMBLER = 0x8001
"""DW_LANG_Mips_Assembler, which all assemblers write."""


def check_debug(elf: Path, call: Call, model: DataModel, given: str) -> None:
    """Raises UsageError if the debug information of the function says otherwise; nothing is said
    where there is none."""
    found = _subprogram(elf, call.function.name)
    if found is None:
        return
    declared = [
        _attribute(child, "DW_AT_type")
        for child in found.iter_children()
        if child.tag == "DW_TAG_formal_parameter"
    ]
    types = [p.type for p in call.function.parameters]
    pairs = [
        *zip(types, declared, strict=False),
        (call.function.result, _attribute(found, "DW_AT_type")),
    ]
    same = all(_same(type_, die, call.prototypes, model) for type_, die in pairs)
    if len(declared) != len(types) or not same:
        text = ", ".join(_text(die) for die in declared) or "void"
        function = f"{_text(pairs[-1][1])} {call.function.name}({text})"
        raise UsageError(
            f"the prototype {call.text!r} does not match {given}: its debug information says "
            f"{function!r}"
        )


def _subprogram(elf: Path, name: str) -> Any:
    """The entry of a function that has code; None if there is none."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        file = ELFFile.load_from_path(str(elf))
        if not file.has_dwarf_info():
            return None
        entries = _entries(file.get_dwarf_info())
        return next((die for die in entries if _name(die) == name), None)
    except (ELFError, KeyError, ValueError, AssertionError):
        return None


def _entries(information: Any) -> Iterator[Any]:
    for unit in information.iter_CUs():
        top = unit.get_top_DIE()
        language = top.attributes.get("DW_AT_language")
        if language is not None and language.value == ASSEMBLER:
            continue  # knows no types
        for die in top.iter_children():
            if die.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in die.attributes:
                yield die


def _name(die: Any) -> str:
    for link in ("", "DW_AT_specification", "DW_AT_abstract_origin"):
        if link and link not in die.attributes:
            continue
        one = die.get_DIE_from_attribute(link) if link else die
        if "DW_AT_name" in one.attributes:
            return str(one.attributes["DW_AT_name"].value.decode(errors="replace"))
    return ""


def _attribute(die: Any, name: str) -> Any:
    """What an attribute refers to, also where the entry was inlined elsewhere; None for void."""
    for _ in range(4):
        if name in die.attributes:
            return die.get_DIE_from_attribute(name)
        link = next(
            (
                one
                for one in ("DW_AT_abstract_origin", "DW_AT_specification")
                if one in die.attributes
            ),
            None,
        )
        if link is None:
            return None
        die = die.get_DIE_from_attribute(link)
    return None


def _plain(die: Any) -> Any:
    """A type without its names and qualifiers."""
    while die is not None and die.tag in PASSED_THROUGH:
        die = _attribute(die, "DW_AT_type")
    return die


def _octets(die: Any) -> int:
    size = die.attributes.get("DW_AT_byte_size")
    return int(size.value) if size is not None else 0


def _same(type_: Type, die: Any, prototypes: Prototypes, model: DataModel) -> bool:
    """Whether a type and an entry have the same kind and size."""
    die = _plain(die)
    if isinstance(type_, Void) or die is None:
        return isinstance(type_, Void) and die is None
    if isinstance(type_, Scalar):
        whole = die.tag == "DW_TAG_enumeration_type" or (
            die.tag == "DW_TAG_base_type" and die.attributes["DW_AT_encoding"].value != FLOATING
        )
        return whole and _octets(die) == model.octets(type_.kind)
    if not isinstance(type_, Pointer):
        return True
    if die.tag != "DW_TAG_pointer_type":
        return False
    target, pointed = type_.target, _plain(_attribute(die, "DW_AT_type"))
    if isinstance(target, Void) or pointed is None:
        return True
    if isinstance(target, Code) or pointed.tag == "DW_TAG_subroutine_type":
        return isinstance(target, Code) and pointed.tag == "DW_TAG_subroutine_type"
    record = pointed.tag in ("DW_TAG_structure_type", "DW_TAG_union_type", "DW_TAG_class_type")
    if isinstance(target, Record) or record:
        unknown = "DW_AT_declaration" in pointed.attributes
        size = prototypes.sizeof(target, model)
        return isinstance(target, Record) and record and (unknown or _octets(pointed) == size)
    return not isinstance(target, Scalar) or _same(target, pointed, prototypes, model)


def _text(die: Any) -> str:
    """A type as C writes it, as far as a reader needs it."""
    if die is None:
        return "void"
    if "DW_AT_name" in die.attributes:
        return str(die.attributes["DW_AT_name"].value.decode(errors="replace"))
    if die.tag == "DW_TAG_pointer_type":
        return f"{_text(_attribute(die, 'DW_AT_type'))} *"
    if die.tag == "DW_TAG_const_type":
        return f"const {_text(_attribute(die, 'DW_AT_type'))}"
    if die.tag in PASSED_THROUGH:
        return _text(_attribute(die, "DW_AT_type"))
    return {"DW_TAG_subroutine_type": "function"}.get(die.tag, "struct")
