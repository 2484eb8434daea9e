# cortex_m.py - what an instruction of a Cortex-M does to the stack, and its interrupts
# SPDX-License-Identifier: MIT

import re

from .state import NEXT, STOP, Effect, Lost, Refused

NAME = "Cortex-M"
POINTER, STEP = 4, 4  # the bytes of a pointer, and where it can be: at multiples
SURE = True  # a number that is the address of a function is one
ALIGNED = 8  # what an interrupt aligns the stack to
CONDITIONS = "eq ne cs hs cc lo mi pl vs vc hi ls ge lt gt le".split()
KEEP = re.compile(r"str|stm|cmp|cmn|tst|teq|cb|b$|it|nop|push|msr|cps|dsb|dmb|isb|wf|sev|v|pld|bkpt|udf|svc")
PLAIN = ("bl", "teq", "movs", "svc")  # they only seem to end with a condition
SCRATCH = ("r0", "r1", "r2", "r3", "r12", "lr")
MASK = re.compile("PRIMASK|BASEPRI|FAULTMASK")
ENABLES = re.compile(r"(?!)")  # a handler never has to: a more urgent one nests anyway
PROCESSOR = 16  # the words of the table that are not of a device
URGENT = {2: -2, 3: -1}  # the priorities of NMI and HardFault, by their place in the table


def registers(text):
    """The registers of a list like {r4, r5, lr} or {d8-d11}, and their bytes."""
    found = []
    for one in re.findall(r"[rsd]\d+(?:-[rsd]\d+)?|sp|lr|pc", text[text.index("{") :]):
        first, _, last = one.partition("-")
        letter, numbers = first[0], [int(number[1:]) for number in (first, last or first) if number[1:].isdigit()]
        found += [letter + str(i) for i in range(numbers[0], numbers[-1] + 1)] if numbers else [one]
    return found, sum(8 if one[0] == "d" else 4 for one in found)


def number(text):
    match = re.search(r"#(-?\d+)", text)
    return int(match.group(1)) if match else None


def base_name(name):
    """The name of an instruction without its width and its condition, and whether it has a condition."""
    name = name.split(".")[0] if not name.startswith("v") else name
    if name == "bls":
        return "b", True
    if name in PLAIN:
        return name, False
    for base in ("b", "bl", "bx", "blx", "pop", "ldr", "ldmia", "ldm", "add", "sub", "mov", "movw", "movt", "push"):
        if name[len(base) :] in CONDITIONS and name.startswith(base):
            return base, True
    return name, False


def forget_written(state, name, operands):
    """Of an instruction that is of no interest: its registers are unknown afterwards."""
    if operands[:1] == ["sp"] and not KEEP.match(name):
        raise Refused("changes the stack pointer")
    writeback = re.search(r"\[(\w+)(?:, #-?\d+)?\](?:!|, #)", ", ".join(operands))
    if writeback:
        state.forget(writeback.group(1))
    if re.match("ldm", name):
        state.forget(*registers(", ".join(operands))[0], operands[0].rstrip("!"))
    elif not KEEP.match(name):
        state.forget(operands[0] if operands else None)
        if re.match(r"ldrd|umull|smull|umlal|smlal", name):
            state.forget(operands[1])


def move_stack(ins, name, operands, state):
    """Whether the instruction changes the stack pointer: then the state is changed."""
    text = ins.operands
    if name in ("push", "vpush") or (name in ("stmdb", "vstmdb") and operands[0] == "sp!"):
        state.depth += registers(text)[1]
    elif name in ("pop", "vpop") or (name in ("ldmia", "ldm", "vldmia") and operands[0] == "sp!"):
        names, size = registers(text)
        state.depth -= size
        state.forget(*names)
    elif re.search(r"\[sp, #-\d+\]!", text):
        state.depth -= number(text)
    elif re.search(r"\[sp\], #\d+", text):
        state.depth -= number(text[text.index("]") :])
        state.forget(*operands[: 2 if name == "ldrd" else 1])
    elif operands[:1] == ["sp"] and name in ("sub", "subw", "add", "addw", "mov"):
        change_stack(name, operands, state)
    else:
        return False
    return True


def change_stack(name, operands, state):
    """sub, add or mov to the stack pointer."""
    last = operands[-1]
    if name == "mov":
        depth = state.knows(last, "stack")
    else:
        value = number(last) if last[0] == "#" else state.knows(last, "number")
        source = operands[1] if len(operands) == 3 else "sp"
        start = state.depth if source == "sp" else state.knows(source, "stack")
        known = value is not None and start is not None
        depth = (start + value if name[:3] == "sub" else start - value) if known else None
    if depth is None:
        raise Refused("a variable stack (alloca, an array of variable length)")
    state.depth = depth


def copy_stack(ins, name, operands, state):
    """An instruction by which a register points into the stack, or to a place beside it."""
    value = number(operands[-1]) if operands[-1][0] == "#" else 0
    source = operands[1] if len(operands) > 2 or operands[-1][0] != "#" else operands[0]
    if source == "pc" and len(operands) == 3:
        at = (ins.at + 4) & ~3
        state.set(operands[0], "number", at - value if name.startswith("sub") else at + value)
        return True
    start = state.depth if source == "sp" else state.knows(source, "stack")
    if start is None or (len(operands) == 3 and operands[2][0] != "#"):
        return False
    state.set(operands[0], "stack", start + value if name.startswith("sub") else start - value)
    return True


def load_number(binary, ins, name, operands, state):
    """An instruction by which a register has a number that is known."""
    value = number(operands[-1]) if operands[-1][:1] == "#" else None
    if name == "ldr" and "[pc" in ins.operands:
        value = binary.word(((ins.at + 4) & ~3) + (number(ins.operands) or 0))
    elif name == "ldr" and (array := re.search(r"\[(\w+), (r\d+)(?:, lsl #2)?\]", ins.operands)):
        at = state.knows(array.group(1), "number") or state.knows(array.group(2), "number")
        if at is not None:
            state.set(operands[0], "table", at)
        return at is not None
    elif name == "movt":
        low = state.knows(operands[0], "number")
        value = None if low is None else (low & 0xFFFF) | value << 16
    elif name in ("lsl", "lsls") and len(operands) == 3 and value is not None:
        before = state.knows(operands[1], "number")
        value = None if before is None else before << value & 0xFFFFFFFF
    elif name in ("mov", "movs") and value is None:
        value = state.knows(operands[1], "number")
    elif name == "negs":
        before = state.knows(operands[1], "number")
        value = None if before is None else -before
    elif name not in ("mov", "movs", "movw"):
        return False
    if value is None:
        return False
    state.set(operands[0], "number", value - (1 << 32) if value >= 1 << 31 else value)
    return True


def table(binary, at, unit, base, scale=2, signed=False):
    """The targets of a jump by a table of distances from BASE at AT: up to the next instruction."""
    found, limit = [], at
    while limit not in binary.code and limit < at + 0x2000:
        value = binary.word(limit, unit)
        if value is None:
            break
        target = base + scale * (value - (1 << 8 * unit) if signed and value >> (8 * unit - 1) else value) & ~1
        if target in binary.code:
            found.append(target)
        limit += unit
    return found


def addresses(binary, at, function):
    """The targets of a jump by a table of addresses: the words that are in the function."""
    found = []
    while True:
        word = binary.word(at + 4 * len(found))
        if word is None or word & ~1 not in binary.code or binary.holder(word) != function:
            break
        found.append(word & ~1)
    if not found:
        raise Lost("jumps by a table that this tool does not know")
    return tuple(found)


def to_pointer(binary, ins, state, register, kind, falls):
    value, at = state.knows(register, "number"), state.knows(register, "table")
    if value is not None:
        return Effect(kind, (value & ~1,), falls)
    found = addresses(binary, at, binary.holder(ins.at)) if at is not None and kind == "jump" else None
    return Effect(kind, found, falls)


def leave(binary, ins, name, operands, state, conditional):
    """The effect of an instruction that jumps by a register or by the stack, or None."""
    if name in ("bx", "mov") and operands[-1] == "lr" and (name == "bx" or operands[0] == "pc"):
        return Effect("return", (), conditional)
    if name == "bx" or (name == "mov" and operands[0] == "pc"):
        if state.knows(operands[-1], "return") is not None:
            return Effect("return", (), conditional)
        return to_pointer(binary, ins, state, operands[-1], "jump", conditional)
    if name == "blx" and re.match(r"r\d|lr", operands[0]):
        return to_pointer(binary, ins, state, operands[0], "call", True)
    if name in ("pop", "ldmia", "ldm") and "pc" in ins.operands:
        return Effect("return", (), conditional)
    if name == "ldr" and operands[0] == "pc":
        if "[sp]" in ins.operands:
            return Effect("return", (), conditional)
        state.forget("pc")
        binary.jumped |= {((ins.at + 4) & ~3) + (number(ins.operands) or 0)} if "[pc" in ins.operands else set()
        load_number(binary, ins, name, operands, state)
        return to_pointer(binary, ins, state, "pc", "jump", conditional)
    return None


def step(binary, ins, state):
    """What an instruction does; changes the state to the one behind it."""
    name, conditional = base_name(ins.name)
    operands = [one.strip() for one in re.split(r",(?![^{\[]*[}\]])", ins.operands)] if ins.operands else []
    if name == "msr" and re.match("[MP]SP|CONTROL", operands[0]):
        raise Refused("changes the stack pointer")
    if name in ("tbb", "tbh"):
        unit = 1 if name == "tbb" else 2
        return Effect("jump", tuple(table(binary, ins.at + 4, unit, ins.at + 4)), False)
    if name == "udf":
        return STOP
    if name == "mrs" and MASK.match(operands[1]):
        state.set(operands[0], "mask", ins.at)
        return NEXT
    if name in ("cbz", "cbnz") or name == "b":
        falls = conditional or name != "b"
        return Effect("jump", (int(operands[-1], 16),), falls)
    if name in ("bl", "blx") and re.match(r"[0-9a-f]+$", operands[0]):
        return call(binary, ins, int(operands[0], 16), state)
    before = state.copy()
    moved = move_stack(ins, name, operands, state)
    effect = leave(binary, ins, name, operands, before, conditional)
    if conditional and effect and effect.kind == "return":
        state.depth, state.registers = before.depth, before.registers
    if effect:
        if effect.kind == "call":
            state.forget(*SCRATCH)
        return effect
    if name == "pop" and before.depth > 0 and re.match(r"\{r[0-3]\}$", ins.operands) and state.depth == 0:
        state.set(operands[0].strip("{}"), "return", 0)  # pop {r3}; bx r3
    if moved:
        return NEXT
    known = not conditional and operands and (
        (name in ("add", "adds", "addw", "sub", "subs", "subw", "mov") and copy_stack(ins, name, operands, state))
        or load_number(binary, ins, name, operands, state))  # fmt: skip
    if not known:
        forget_written(state, name, operands)
    return NEXT


def call(binary, ins, target, state):
    match = re.match(r"__gnu_thumb1_case_([us])(qi|hi|i)$", binary.name(target))
    if match:  # a jump: the table follows the call
        signed, unit = match.group(1) == "s", {"qi": 1, "hi": 2, "i": 4}[match.group(2)]
        state.forget("r0", "r12", "lr")
        at = -(-(ins.at + 4) // unit) * unit
        return Effect("through", (target, *table(binary, at, unit, at, 1 if unit == 4 else 2, signed)), False)
    if target not in binary.functions and binary.holder(target) == binary.holder(ins.at):
        return Effect("jump", (target,), False)  # a jump that is too far for `b`
    state.forget(*SCRATCH)
    return Effect("call", (target,), True)


def vectors(binary):
    """The interrupt table's handlers: [(place in the table, address)], and the address of the table's end."""
    places = {section.at for section in binary.sections if "A" in section.flags}
    places |= {symbol.at: None for symbol in binary.symbols if symbol.kind == "OBJECT"}.keys()
    for at in sorted(places):
        top, reset = binary.word(at), binary.word(at + 4)
        if reset is None or top is None or reset & ~1 != binary.entry & ~1 or top % 8 or top & ~1 in binary.functions:
            continue
        size = next((symbol.size for symbol in binary.symbols if symbol.at == at and symbol.size), 0)
        found, i = [], 2
        while i < 512:  # a table can have more entries behind the object of its first ones
            handler = binary.word(at + 4 * i)
            if handler and address_of(handler) in binary.functions:
                found.append((i, handler & ~1))
            elif 4 * i >= size > 0 or (not size and i >= PROCESSOR and handler):
                break  # in the table, a word can be a checksum or a version
            i += 1
        return found, range(at, at + 4 * i)
    raise Refused("no interrupt table: a stack pointer, then the entry point (ENTRY in the linker script)")


def start(binary):
    """What is known at the entry of each function: nothing."""
    return {}


def interrupts(binary):
    """The handlers: {address: [priority of each of its interrupts]}, or None: the program sets it; the hardware has
    those of NMI and HardFault."""
    found, taken = vectors(binary)
    handlers = {}
    for place, at in found:
        handlers.setdefault(at, []).append(URGENT.get(place))
    return handlers, taken


def call_size(binary):
    """What a call puts on the stack: nothing."""
    return 0


def pushes(binary):
    """What the processor puts on the stack at an interrupt, over the multiple of ALIGNED."""
    uses_float = any(ins.name.startswith("v") for ins in binary.code.values())  # it then keeps those registers, too
    return 104 if uses_float else 32


def address_of(word):
    """The function to which a word would point, or None."""
    return word & ~1 if word & 1 else None


def built(ins, state):
    """The number of a register, which may be an address, if the instruction has put its last part together."""
    if ins and ins.name.startswith("movt"):
        return {state.knows(ins.operands.split(",")[0], "number")} - {None}
    return set()


def masking(ins, state):
    """What an instruction does to the mask of interrupts, or None: it masks, admits, reads; or it restores what the
    instruction at the second value has read."""
    operands = [one.strip() for one in ins.operands.split(",")]
    if ins.name in ("cpsid", "cpsie"):
        return "masks" if ins.name == "cpsid" else "admits", None
    if ins.name == "mrs" and MASK.match(operands[1]):
        return "reads", None
    if ins.name[:3] != "msr" or not MASK.match(operands[0]):
        return None
    value = state.knows(operands[1], "number")
    if operands[0] == "BASEPRI_MAX" or value:
        return "masks", None
    if ins.name != "msr":
        return None  # under a condition
    return ("restores", state.knows(operands[1], "mask")) if value is None else ("admits", None)


def unit(binary):
    """What `cost` counts."""
    return "cycles" if binary.architecture.startswith("v6") else "instructions"


def cost(binary, ins, jumps):
    """The cycles of an instruction on a Cortex-M0+, without wait states of the memory; 1 on others."""
    if not binary.architecture.startswith("v6"):
        return 1
    name, _ = base_name(ins.name)
    if name in ("push", "pop", "ldm", "ldmia", "stm", "stmia"):
        count = len(registers(ins.operands)[0])
        return 1 + count + (2 if "pc" in ins.operands else 0)
    if re.match("ldr|str", name) or name in ("b", "bx", "blx"):
        return 2 if jumps or name != "b" else 1
    return 3 if name in ("bl", "mrs", "msr", "dsb", "dmb", "isb") else 1
