# rv32.py - what an instruction of a 32-bit RISC-V does to the stack, and its interrupts
# SPDX-License-Identifier: MIT

import re

from .state import NEXT, STOP, Effect, Lost, Refused

NAME = "RV32"
POINTER, STEP = 4, 4  # the bytes of a pointer, and where it can be: at multiples
SURE = True  # a number that is the address of a function is one
ALIGNED = 1  # an interrupt's handler begins where the stack is
SCRATCH = tuple("ra t0 t1 t2 t3 t4 t5 t6 a0 a1 a2 a3 a4 a5 a6 a7".split())
KEEP = re.compile(r"s[bhw]$|fs[wd]$|b|c?nop|fence|csr[wsc]i?$|wfi|ecall|ebreak")
MASK = re.compile(r"csrr?([wsc]?)i? (?:(\w+),)?mstatus(?:,(\w+))?")
MIE = 8  # the bit of mstatus that lets interrupts in
ENABLES = re.compile(r"csrr?si? .*mstatus,(8|9|1[0-5]|2[4-9]|3[01])")
ADDRESS = re.compile(r"[0-9a-f]{2,8}$")


def value_of(text, state):
    """The number of an operand: a constant, or a register that is known."""
    if re.match(r"-?(0x)?\d", text):
        return int(text, 0)
    return state.knows(text, "number")


def change_stack(binary, ins, name, operands, state):
    """An instruction that writes the stack pointer."""
    if name in ("auipc", "lui") and state.depth == 0 and binary.holder(ins.at) == binary.entry:
        state.set("sp", "number", 0)  # the start gives it its first value
        return
    source = state.depth if operands[1] == "sp" else state.knows(operands[1], "stack")
    value = 0 if name == "mv" else value_of(operands[-1], state) if name in ("add", "addi", "sub") else None
    if state.knows("sp", "number") is not None:
        state.forget("sp")
    elif source is None or value is None:
        raise Refused("a variable stack (alloca, an array of variable length)")
    else:
        state.depth = source + value if name == "sub" else source - value


def write_register(binary, ins, name, operands, state):
    """An instruction that writes the register of its first operand: what is known of it afterwards."""
    target, kind, value = operands[0], "number", None
    if name in ("add", "addi", "sub", "mv"):
        source, more = operands[1], 0 if name == "mv" else value_of(operands[2], state)
        start = state.depth if source == "sp" else state.knows(source, "stack")
        number = state.knows(source, "number")
        if start is not None and more is not None:
            kind, value = "stack", start + more if name == "sub" else start - more
        elif number is not None and more is not None:
            value = number - more if name == "sub" else number + more
        elif name == "add" and (number if more is None else more) is not None:
            kind, value = "indexed", number if more is None else more
    elif name == "lw" and (array := re.fullmatch(r"0\((\w+)\)", operands[1])):
        kind, value = "table", state.knows(array.group(1), "indexed")
    elif name in ("or", "ori") and value_of(operands[1], state) is not None:
        more = value_of(operands[2], state)
        value = None if more is None else state.knows(operands[1], "number") | more
    elif name in ("mv", "andi") and state.knows(operands[1], "mask") is not None:
        kind, value = "mask", state.knows(operands[1], "mask")
    elif name.startswith("csrr") and operands[1:2] == ["mstatus"]:
        kind, value = "mask", ins.at
    elif name == "li":
        value = int(operands[1], 0)
    elif name in ("lui", "auipc"):
        value = (int(operands[1], 0) << 12) + (ins.at if name == "auipc" else 0)
    state.forget(target)
    if value is not None:
        state.set(target, kind, value if kind == "stack" else value & 0xFFFFFFFF)


def addresses(binary, at, function):
    """The targets of a jump by a table of addresses: the words that are in the function."""
    found = []
    while True:
        word = binary.word(at + 4 * len(found))
        if word not in binary.code or binary.holder(word) != function:
            break
        found.append(word)
    if not found:
        raise Lost("jumps by a table that this tool does not know")
    return tuple(found)


def to_pointer(binary, ins, register, offset, kind, state):
    value, at = state.knows(register, "number"), state.knows(register, "table")
    if value is not None:
        return Effect(kind, ((value + offset) & 0xFFFFFFFF,), kind == "call")
    found = addresses(binary, at, binary.holder(ins.at)) if at is not None and kind == "jump" else None
    return Effect(kind, found, kind == "call")


def jump(binary, ins, name, operands, state):
    """The effect of a jump or a call, or None."""
    if name in ("ret", "mret", "sret"):
        return Effect("return", (), False)
    if name in ("j", "jal"):
        link = operands[0] if len(operands) == 2 else "ra"
        if link not in ("ra", "zero"):
            raise Lost("calls with another register than ra (-msave-restore)")
        call = name == "jal" and link == "ra"
        return Effect("call" if call else "jump", (int(operands[-1], 16),), call)
    if name in ("jr", "jalr"):
        match = re.fullmatch(r"(?:(-?\d+)\()?(\w+)\)?", operands[-1])
        call = name == "jalr" and operands[0] != "zero"
        if not match or (len(operands) == 2 and operands[0] not in ("ra", "zero")):
            raise Lost("calls with another register than ra (-msave-restore)")
        return to_pointer(binary, ins, match.group(2), int(match.group(1) or 0), "call" if call else "jump", state)
    if name[0] == "b" and operands and ADDRESS.match(operands[-1]):
        return Effect("jump", (int(operands[-1], 16),), True)
    return None


def step(binary, ins, state):
    """What an instruction does; changes the state to the one behind it."""
    name = ins.name[2:] if ins.name.startswith("c.") else ins.name
    operands = [one.strip() for one in ins.operands.split(",")] if ins.operands else []
    if name == "unimp" or (name == "ebreak" and ins.at + ins.size in binary.functions):
        return STOP
    effect = jump(binary, ins, name, operands, state)
    if effect:
        if effect.kind == "call":
            state.forget(*SCRATCH)
        return effect
    if name == "csrw" and operands[0] == "mtvec" and state.knows(operands[1], "number") is not None:
        binary.traps.add(state.knows(operands[1], "number") & ~3)
    if operands and not KEEP.match(name):
        if operands[0] == "sp":
            change_stack(binary, ins, name, operands, state)
        else:
            write_register(binary, ins, name, operands, state)
    return NEXT


def start(binary):
    """What is known at the entry of each function."""
    pointer = next((symbol.at for symbol in binary.symbols if symbol.name == "__global_pointer$"), None)
    return {} if pointer is None else {"gp": ("number", pointer)}


def interrupts(binary):
    """The handlers: {address: [priority]}, the functions that return from a trap; the hardware does not nest them."""
    found = {binary.holder(at) for at, ins in binary.code.items() if ins.name in ("mret", "sret")}
    return {handler: [0] for handler in found}, ()


def call_size(binary):
    """What a call puts on the stack: nothing."""
    return 0


def pushes(binary):
    """What the processor puts on the stack at an interrupt."""
    return 0


def address_of(word):
    """The function to which a word would point."""
    return word


def built(ins, state):
    """The number of a register, which may be an address, if the instruction has put its last part together."""
    if ins and ins.name.split(".")[-1] in ("add", "addi", "li", "lui", "mv"):
        return {state.knows(ins.operands.split(",")[0], "number")} - {None}
    return set()


def masking(ins, state):
    """What an instruction does to the mask of interrupts, or None: it masks, admits, reads; or it restores what the
    instruction at the second value has read."""
    match = MASK.fullmatch("%s %s" % (ins.name, ins.operands))
    if not match:
        return None
    how, _, source = match.groups()
    value = value_of(source, state) if source else None
    if not how:
        return "reads", None
    if how == "c":
        return ("masks", None) if value is None or value & MIE else None
    if value is None:
        return "restores", state.knows(source, "mask")
    if value & MIE:
        return "admits", None
    return ("masks", None) if how == "w" else None


def unit(binary):
    """What `cost` counts."""
    return "instructions"


def cost(binary, ins, jumps):
    return 1
