# deepest.py - the deepest way through the calls; recursion
# SPDX-License-Identifier: MIT

import sys

from .state import Refused


class Deepest:
    """FUNCTIONS: by address; TARGETS: which a call can reach."""

    def __init__(self, binary, part, functions, targets):
        self.binary, self.part, self.functions, self.targets = binary, part, functions, targets
        self.known, self.edges_of, self.frames = {}, {}, {}
        sys.setrecursionlimit(100000)

    def edges(self, at):
        """The calls of a function: (bytes on the stack, target)."""
        if at not in self.edges_of:
            function = self.functions[at]
            own = self.own(function) if function.fault else None
            self.edges_of[at] = [(call.depth if own is None else own + self.part.call_size(self.binary), target)
                                 for call in function.calls for target in self.targets.of(call, at)]  # fmt: skip
        return self.edges_of[at]

    def below(self, at, path=()):
        """The most bytes from a function down, and the way: [(address, bytes on the stack at its call)].

        A function with the note `depth N` can be N times on the way; what is known depends on how often it is."""
        most = self.targets.note(at, "depth")
        if most is not None and path.count(at) >= most:
            return None
        noted = tuple(sorted(one for one in path if self.targets.note(one, "depth")))
        circle = path[len(path) - path[::-1].index(at) - 1 :] if at in path else ()
        if circle and not set(circle) & set(noted):
            names = " > ".join(self.binary.name(one) for one in circle + (at,))
            raise Refused("recursion: %s (a note at one of them says how deep: pt-bounds: depth N)" % names)
        if (at, noted) not in self.known:
            self.known[at, noted] = self.deepest(at, path + (at,))
        return self.known[at, noted]

    def deepest(self, at, path):
        function = self.functions.get(at)
        if function is None:
            raise Refused("0x%x: a call to no function" % at)
        own = self.own(function)
        best = (own, [(at, own)])
        for depth, target in self.edges(at):
            found = self.below(target, path)
            if found and depth + found[0] > best[0]:
                best = (depth + found[0], [(at, depth)] + found[1])
        return best

    def own(self, function):
        """The bytes of its frame; what has no bound is refused if no note gives it."""
        if function.lost:
            raise Refused("%s at %s" % (self.binary.name(function.at), function.lost))
        if not function.fault:
            return function.depth
        most = self.targets.note(function.at, "stack")
        if most is None:
            name = self.binary.name(function.at)
            raise Refused("%s at %s (a note says how much: pt-bounds: stack N)" % (name, function.fault))
        return most

    def above(self, roots):
        """The most bytes on the stack when each function is called; each function once on a way from a root."""
        order, seen = [], set()

        def visit(at):
            seen.add(at)
            for _, target in self.edges(at):
                if target not in seen:
                    visit(target)
            order.append(at)

        for root in roots:
            if root not in seen:
                visit(root)
        found = dict.fromkeys(roots, 0)
        for at in reversed(order):
            for depth, target in self.edges(at):
                found[target] = max(found.get(target, 0), found.get(at, 0) + depth)
        return found
