# flow.py - one function: its own depth, its calls and how deep each stands
# SPDX-License-Identifier: MIT

from collections import namedtuple

from .state import NEXT, STOP, Lost, Refused, State

# AT: the instruction; DEPTH: the bytes that the callee finds under it; TARGETS: addresses, or None for a pointer;
# TAIL: it is a jump, and the callee returns to the caller of this function
Call = namedtuple("Call", "at depth targets tail")


class Function:
    """What the instructions that can follow from an address do. FAULT: why its depth is not known, and where."""

    def __init__(self, binary, part, at):
        self.binary, self.part, self.at = binary, part, at
        self.depth, self.calls, self.fault, self.lost = 0, [], None, None
        self.follows, self.returns = {}, set()  # the instructions that can follow each one; those that return
        self.numbers = set()  # the numbers that its instructions build, which can be addresses
        self.masking = {}  # what its instructions do to the mask of interrupts
        self.enables = None  # an instruction that lets interrupts in
        self.size = 0  # instructions
        try:
            self.walk()
        except Refused as fault:
            self.fault = str(fault)
            self.walk()

    def walk(self):
        """Follow the instructions; after a fault again, without their depths."""
        states, waiting, calls = {self.at: State(0, self.part.start(self.binary))}, [self.at], {}
        while waiting:
            at = waiting.pop()
            ins, state = self.binary.code.get(at), states[at].copy()
            effect = self.step(at, ins, state)
            self.depth = max(self.depth, state.depth)
            if ins and self.part.ENABLES.fullmatch("%s %s" % (ins.name, ins.operands)):
                self.enables = at
            self.numbers |= self.part.built(ins, state)
            self.masking[at] = self.part.masking(ins, state) if ins else None
            following = self.follow(ins, effect, state, calls)
            self.follows[at] = tuple(following)
            for target in following:
                self.arrive(target, state, states, waiting)
        self.calls = [calls[key] for key in sorted(calls)]
        self.size = len(states)

    def step(self, at, ins, state):
        try:
            if ins is None:
                raise Refused("no instruction")
            effect = self.part.step(self.binary, ins, state)
            if effect.kind == "jump" and effect.targets is None and state.depth:
                raise Lost("jumps by a register or a table that this tool does not know")
            return effect
        except Refused as fault:
            if isinstance(fault, Lost):
                self.lost = "0x%x: %s" % (at, fault)
            if not self.fault:
                raise Refused("0x%x: %s" % (at, fault))
            return NEXT if ins else STOP

    def follow(self, ins, effect, state, calls):
        """Note the calls; the addresses that follow in this function."""
        following = []
        if ins is None:
            return following
        if effect.kind == "return":
            self.returns.add(ins.at)
        elif effect.kind == "call":
            calls[ins.at] = Call(ins.at, state.depth + self.part.call_size(self.binary), effect.targets, False)
        elif effect.kind == "through":
            helper, *following = effect.targets
            calls[ins.at] = Call(ins.at, state.depth, (helper,), False)
        elif effect.kind == "jump":
            outside = effect.targets
            if outside is not None:
                following = [one for one in effect.targets if not self.is_other(one)]
                outside = tuple(one for one in effect.targets if self.is_other(one))
            if outside is None or outside:
                calls[ins.at] = Call(ins.at, state.depth, outside, True)
        behind = ins.at + ins.size
        if effect.falls and not (effect.kind == "call" and self.is_end(behind)):  # behind a last call nothing returns
            if self.is_other(behind):  # it runs into the next function
                others = calls[ins.at].targets if ins.at in calls else ()
                calls[ins.at] = Call(ins.at, state.depth, (*(others or ()), behind), True)
            else:
                following.append(behind)
        return following

    def is_other(self, at):
        """Whether an address begins another function; a label of assembly is a part of what leads to it."""
        return at != self.at and at in self.binary.functions and self.binary.functions[at].kind == "FUNC"

    def is_end(self, at):
        """Whether the function ends before an address: by its symbol, or as another one begins, or no instruction."""
        symbol = self.binary.functions[self.at]
        return self.is_other(at) or at not in self.binary.code or at == symbol.at + symbol.size

    def arrive(self, target, state, states, waiting):
        known = states.get(target)
        if known is None:
            states[target] = state.copy()
            waiting.append(target)
        elif known.depth != state.depth and not self.fault:
            raise Refused("0x%x: a variable stack: %d bytes, or %d" % (target, known.depth, state.depth))
        elif known.meet(state) and target not in waiting:
            waiting.append(target)
