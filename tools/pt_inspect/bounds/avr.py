# avr.py - what an instruction of an 8-bit AVR does to the stack, its interrupts, and its cycles
# SPDX-License-Identifier: MIT

import re

from .state import NEXT, STOP, Effect, Lost, Refused

NAME = "AVR"
ALIGNED = 1
POINTER, STEP = 2, 1  # the bytes of a pointer, and where it can be: nothing is aligned
SURE = False  # the address of a variable can look like that of a function
ENABLES = re.compile("sei ?")
SKIPS = ("cpse", "sbrc", "sbrs", "sbic", "sbis")
ZERO = "r1"  # the compiler keeps a zero in it
FAMILY, LARGE, XMEGA = 0x7F, (6, 106, 107), 100  # of the flags of the file; LARGE: with more than 128 KB of flash
SCRATCH = tuple("r%d" % i for i in [0, *range(18, 28), 30, 31])
KEEP = re.compile(r"st|sts|std|push|out|cp|cpc|cpi|tst|br|rjmp|jmp|nop|s[be][a-z]$|cl[a-z]$|wdr|sleep|bst|sbi$|cbi$")
NEAR = 6  # bytes between the two instructions that put an address together
PAIRS = ("movw", "adiw", "sbiw")
DOUBLE = {"call": 4, "ret": 4, "reti": 4, "rcall": 3, "icall": 3, "jmp": 3, "lpm": 3,
          "eicall": 3, "elpm": 3}  # fmt: skip  # the cycles of those with 3 or 4
ADDRESSED = ("call", "ret", "reti", "rcall", "icall", "eicall")  # one more, if an address has three bytes
TWO = re.compile(r"ld|ldd|lds|st|std|sts|push|pop|adiw|sbiw|mul\w*|fmul\w*|rjmp|e?ijmp|sbi|cbi")


def above(register):
    return "r%d" % (int(register[1:]) + 1)


def below(register):
    return "r%d" % (int(register[1:]) - 1)


def target_of(ins, operand):
    match = re.match(r"\.([+-]\d+)", operand)
    return ins.at + 2 + int(match.group(1)) if match else int(operand, 16)


def table(binary, ins, state):
    """The targets of a jump by the table of addresses to which Z leads, in a function."""
    low, high = state.knows("r30", "minus"), state.knows("r31", "minus")
    if low is None or high is None:
        raise Lost("jumps by a table that this tool does not find")
    at, found = 2 * (-(high << 8 | low) & 0xFFFF), []
    while True:
        word = binary.word(at + 2 * len(found), 2)
        if word is None or 2 * word not in binary.code or binary.holder(2 * word) != binary.holder(ins.at):
            return tuple(found)
        found.append(2 * word)


def jump(binary, ins, name, operands, state):
    """The effect of a jump or a call, or None."""
    if name in ("ret", "reti"):
        return Effect("return", (), False)
    if name in ("icall", "eicall"):
        return Effect("call", None, True)
    if name in ("ijmp", "eijmp"):
        inside = binary.name(binary.holder(ins.at)) == "__tablejump2__"  # each jump to it is read at its place
        return Effect("return" if inside else "jump", () if inside else None, False)
    if name in SKIPS:
        behind = binary.code.get(ins.at + ins.size)
        return Effect("jump", (behind.at + behind.size,) if behind else (), True)
    if name in ("call", "rcall", "jmp", "rjmp") or name.startswith("br") and name != "break":
        target = target_of(ins, operands[-1])
        if name in ("jmp", "rjmp") and binary.name(target) == "__tablejump2__":
            return Effect("through", (target, *table(binary, ins, state)), False)
        call = name.endswith("call")
        return Effect("call" if call else "jump", (target,), call or name.startswith("br"))
    return None


def write_stack(name, operands, state):
    """Whether an instruction writes or copies the stack pointer, or moves its copy Y: then the state is changed."""
    if name == "in" and operands[1] in ("0x3d", "0x3e"):
        state.set(operands[0], "stack" if operands[1] == "0x3d" else "high", state.depth)
    elif name == "out" and operands[0] == "0x3d":
        depth = state.knows(operands[1], "stack")
        if depth is None and state.depth == 0 and state.knows(operands[1], "number"):
            depth = 0  # the start gives it its first value
        if depth is None:
            raise Refused("a variable stack (alloca, an array of variable length)")
        state.depth = depth
    elif name in ("adiw", "sbiw") and state.knows(operands[0], "stack") is not None:
        change = int(operands[1], 0)
        state.set(operands[0], "stack", state.knows(operands[0], "stack") + (change if name == "sbiw" else -change))
    elif name == "subi" and state.knows(operands[0], "stack") is not None:
        state.set(operands[0], "part", (state.knows(operands[0], "stack"), int(operands[1], 0)))
    elif (name == "sbci" or (name == "sbc" and operands[1] == ZERO)) and state.knows(below(operands[0]), "part"):
        lower = below(operands[0])
        depth, low = state.knows(lower, "part")
        change = (0 if name == "sbc" else int(operands[1], 0)) << 8 | low
        state.set(lower, "stack", depth + (change - 0x10000 if change & 0x8000 else change))
    else:
        return name == "out" and operands[0] == "0x3e"
    return True


def step(binary, ins, state):
    """What an instruction does; changes the state to the one behind it."""
    name, operands = ins.name, [one.strip() for one in ins.operands.split(",")] if ins.operands else []
    if name == "rcall" and target_of(ins, operands[0]) == ins.at + 2:
        state.depth += call_size(binary)  # room for as many bytes
        return NEXT
    effect = jump(binary, ins, name, operands, state)
    if effect:
        if effect.kind == "call":
            state.forget(*SCRATCH)
        return effect
    if name == "break":
        return STOP
    if name in ("push", "pop"):
        state.depth += 1 if name == "push" else -1
    if write_stack(name, operands, state):
        return NEXT
    if name == "in" and operands[1] == "0x3f":
        state.set(operands[0], "mask", ins.at)
        return NEXT
    if name == "ldi":
        state.set(operands[0], "number", (int(operands[1], 0), ins.at))
    elif name in ("subi", "sbci") and re.match(r"r3[01]", operands[0]):
        state.set(operands[0], "minus", int(operands[1], 0))
    elif operands and re.match(r"r\d", operands[0]) and not KEEP.match(name):
        state.forget(operands[0], *([above(operands[0])] if name in PAIRS else []))
    return NEXT


def start(binary):
    """What is known at the entry of each function: nothing."""
    return {}


def interrupts(binary):
    """The handlers to which the table at address 0 jumps: {address: [priority]}; the hardware does not nest them."""
    found, at = set(), binary.code[0].size if 0 in binary.code else 0  # behind the reset; a small part has `rjmp` only
    while at in binary.code and binary.code[at].name in ("jmp", "rjmp", "nop") and at not in binary.functions:
        if binary.code[at].name != "nop":
            found.add(target_of(binary.code[at], binary.code[at].operands))
        at += binary.code[at].size
    return {handler: [0] for handler in found if handler in binary.functions}, ()


def call_size(binary):
    """What a call puts on the stack: its return address."""
    return 3 if binary.flags & FAMILY in LARGE else 2


def pushes(binary):
    """What the processor puts on the stack at an interrupt: the same."""
    return call_size(binary)


def address_of(word):
    """The function to which a word would point: it counts words of the flash."""
    return 2 * word


def built(ins, state):
    """The number of a pair of registers, which may be an address, if the instruction has put its second part there."""
    if not ins or ins.name != "ldi":
        return set()
    number = int(ins.operands.split(",")[0].strip()[1:])
    low, high = (state.knows("r%d" % (number & ~1 | i), "number") for i in (0, 1))
    near = low and high and abs(low[1] - high[1]) <= NEAR
    return {high[0] << 8 | low[0]} if near else set()


def masking(ins, state):
    """What an instruction does to the mask of interrupts, or None: it masks, admits, reads; or it restores what the
    instruction at the second value has read."""
    if ins.name in ("cli", "sei"):
        return "masks" if ins.name == "cli" else "admits", None
    if ins.name == "in" and ins.operands.endswith(", 0x3f"):
        return "reads", None
    if ins.name == "out" and ins.operands.startswith("0x3f,"):
        register = ins.operands.split(",")[1].strip()
        return ("masks", None) if register == ZERO else ("restores", state.knows(register, "mask"))
    return None


def unit(binary):
    """What `cost` counts."""
    if binary.flags & FAMILY >= XMEGA:
        raise Refused("the cycles of an AVR of this family are not known to this tool")
    return "cycles"


def cost(binary, ins, jumps):
    """The cycles of an instruction."""
    if ins.name in SKIPS:
        behind = binary.code.get(ins.at + ins.size)
        return 1 + (behind.size // 2 if jumps and behind else 0)
    if ins.name.startswith("br"):
        return 2 if jumps else 1
    if ins.name in ADDRESSED:
        return DOUBLE[ins.name] + call_size(binary) - 2
    return DOUBLE.get(ins.name) or (2 if TWO.fullmatch(ins.name) else 1)
