# longest.py - the longest way through a function: instructions or cycles, with a bound of each loop
# SPDX-License-Identifier: MIT
#
# A loop is a set of instructions of which each leads to each other. It has a head: without it, what remains of the
# loop are the loops inside. The bound says how often the head is come back to; so the loop's longest way is that many
# times the longest way from the head back to it, and a way out. A way that never returns does not count.

from .state import Refused

END = -1  # where a function leaves


def circles(nodes, follows):
    """The strongly connected sets of the graph, each before those that lead to it (Tarjan)."""
    index, low, on, stack, found = {}, {}, set(), [], []
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(follows(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            at, rest = work[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on.add(target)
                    work.append((target, iter(follows(target))))
                    break
                if target in on:
                    low[at] = min(low[at], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    one = set()
                    while at not in one:
                        one.add(stack.pop())
                    on -= one
                    found.append(one)
    return found


class Graph:
    """The instructions of a function. FOLLOWS: {at: [(target, cost)]}; BOUND(loop, head, backs, depth): how often the
    loop, one of DEPTH loops around each other, goes back to its head, or Refused."""

    def __init__(self, follows, bound):
        self.follows, self.bound = follows, bound
        self.open = []  # the loops around the one that is looked at

    def distances(self, nodes, sources):
        """The longest way to each of NODES that the SOURCES reach, {at: cost at the source}, through NODES only."""
        found = dict(sources)
        inside = lambda at: [target for target, _ in self.follows[at] if target in nodes]  # noqa: E731
        for loop in reversed(circles(sorted(sources), inside)):
            (one,) = loop if len(loop) == 1 else (None,)
            if one is None or one in inside(one):
                found.update(self.through(loop, {at: found[at] for at in loop if at in found}))
            for at in loop:
                for target, cost in self.follows[at]:
                    if target in nodes and target not in loop:
                        found[target] = max(found.get(target, 0), found[at] + cost)
        return found

    def through(self, loop, entries):
        """The longest way to each instruction of a loop, from its ENTRIES."""
        head = self.head(loop, entries)
        rest, around, once = self.inside(loop, head)
        others = {at: cost for at, cost in entries.items() if at != head}
        before = self.within(loop, rest, others)
        first = max(entries.get(head, 0), self.back(before, head))
        last = first + self.bound(loop, head, self.backs(loop, head), len(self.open) + 1) * once
        found = {at: last + cost for at, cost in around.items()}
        for at, cost in before.items():
            found[at] = max(found.get(at, 0), cost)
        found[head] = last
        return found

    def within(self, loop, rest, begin):
        """The longest ways through the REST of a loop."""
        self.open.append(loop)
        found = self.distances(rest, begin) if begin else {}
        self.open.pop()
        return found

    def backs(self, loop, head):
        """The instructions of a loop that go back to its head."""
        return sorted(at for at in loop if any(target == head for target, _ in self.follows[at]))

    def inside(self, loop, head):
        """What a loop is without its head, the longest ways from the head to that, and once round."""
        rest = loop - {head}
        begin = {target: cost for target, cost in self.follows[head] if target in rest}
        around = self.within(loop, rest, begin)
        alone = [cost for target, cost in self.follows[head] if target == head]
        return rest, around, max([self.back(around, head), *alone])

    def head(self, loop, entries):
        """Of the instructions at which a loop is entered, that to which most lead back."""
        return max(entries, key=lambda at: (len(self.backs(loop, at)), -at))

    def leading(self, *ends):
        """The instructions from which a way leads to one of the ENDS."""
        before, found, waiting = {}, set(ends), list(ends)
        for at, following in self.follows.items():
            for target, _ in following:
                before.setdefault(target, []).append(at)
        while waiting:
            fresh = set(before.get(waiting.pop(), ())) - found
            found |= fresh
            waiting += fresh
        return found

    def back(self, found, head):
        """The longest of the ways FOUND back to the head."""
        return max((found[at] + cost for at in found for target, cost in self.follows[at] if target == head), default=0)


class Longest:
    """By address the longest way of functions, from their first instruction until they return."""

    def __init__(self, binary, part, functions, targets, returns, rounds):
        self.binary, self.part, self.functions, self.targets, self.returns = binary, part, functions, targets, returns
        self.bounds = Bounds(binary, functions, targets, rounds)
        self.known, self.open = {}, []

    def of(self, at):
        if at in self.open:
            names = " > ".join(self.binary.name(one) for one in self.open[self.open.index(at) :] + [at])
            raise Refused("recursion: %s" % names)
        if at not in self.known:
            self.open.append(at)
            try:
                graph = self.graph(at)
                self.known[at] = graph.distances(graph.leading(END), {at: 0})[END]
            except Refused as fault:
                self.known[at] = fault
            self.open.pop()
        if isinstance(self.known[at], Refused):
            raise self.known[at]
        return self.known[at]

    def graph(self, at, part=None, called=lambda target, own: own(target), own=None):
        """The instructions of a function, or a PART, with the cost of each until the next one, and of what it calls.
        CALLED and OWN replace the cost of a called function, and of an instruction."""
        function, own = self.functions[at], own or self.part.cost
        calls, follows = {call.at: call for call in function.calls}, {END: []}
        for place, following in function.follows.items():
            if part and place not in part:
                continue
            ins, call = self.binary.code[place], calls.get(place)
            cost = lambda target: own(self.binary, ins, target != ins.at + ins.size)  # noqa: B023, E731
            follows[place] = [(target, cost(target)) for target in following]
            if place in function.returns:
                follows[place].append((END, cost(END)))
            if call:
                comes = [target for target in self.targets.of(call, at) if self.returns(target)]
                most = max((called(target, self.of) for target in comes), default=0)
                if call.tail:
                    follows[place] += [(END, cost(END) + most)] if comes else []
                else:  # behind a call of what never returns, there is nothing
                    follows[place] = [(target, cost(END) + most) for target in following] if comes else []
        return Graph(follows, lambda *loop: self.bounds.of(at, *loop))

    def main_loop(self, at, bodies):
        """A function's outermost loop in which it reaches BODIES: its instructions, and its head; or None."""
        follows = self.functions[at].follows
        calls = [call for call in self.functions[at].calls if not call.tail]
        places = {call.at for call in calls if self.reach(self.targets.of(call, at)) & bodies}
        for loop in circles(sorted(follows), follows.get) if places else ():
            one = next(iter(loop))
            if loop & places and (len(loop) > 1 or one in follows[one]):
                entered = {one for place in follows.keys() - loop for one in follows[place]} & loop
                return loop, Graph({place: [(one, 0) for one in follows[place]] for place in loop}, None).head(loop, entered)
        return None

    def around(self, at, bodies, loop, head):
        """The longest way once round a loop of a function, in which as many bodies run as it calls: the longest ones,
        each as often as its note `runs N` allows; and the bodies that it takes, with how often."""
        count = self.once_round(bodies, at, loop, head, 1, lambda _: 0, lambda *_: 0)
        most = self.once_round(bodies, at, loop, head, 0, self.of)
        taken = []
        for time, body in sorted(((self.of(body), body) for body in bodies), reverse=True):
            runs = self.targets.note(body, "runs")
            often = count if runs is None else min(count, runs)
            most += often * time
            count -= often
            taken += [(body, often)] if often else []
        return most, taken

    def once_round(self, bodies, at, loop, head, each, other, own=None):
        """The longest way once round, with the cost EACH of a body, and OTHER(function) of one that reaches none."""
        near = {one for one in self.reach([at]) - bodies if self.reach([one]) & bodies}
        known = {}

        def called(target, _):
            if target in bodies or target not in near:
                return each if target in bodies else other(target)
            if target not in known:
                graph = self.graph(target, None, called, own)
                known[target] = graph.distances(graph.leading(END), {target: 0})[END]
            return known[target]

        return self.graph(at, loop, called, own).inside(loop, head)[2]

    def reach(self, functions):
        """What these functions can call, and they."""
        found, waiting = set(functions), list(functions)
        while waiting:
            at = waiting.pop()
            fresh = {one for call in self.functions[at].calls for one in self.targets.of(call, at)} - found
            found |= fresh
            waiting += fresh
        return found

    def masked(self):
        """The longest way on which interrupts are masked, and the function in which it ends. A function can return
        while it masks them: then the way goes on behind its calls."""
        leaves, most, waiting = {}, (0, []), set(self.functions)
        for _ in self.functions:  # no way of calls is longer
            fresh = {}
            for at in waiting:
                longest, left = self.masked_in(at, leaves)
                most = max(most, (longest, [(at, 1)]), key=lambda one: one[0])
                if left > leaves.get(at, -1):
                    fresh[at] = left
            if not fresh:
                return most
            leaves.update(fresh)
            waiting = {at for at in self.functions if self.called_by(at) & fresh.keys()}
        raise Refused("functions return while they mask interrupts, in a circle")

    def called_by(self, at):
        return {target for call in self.functions[at].calls for target in self.targets.of(call, at)}

    def masked_in(self, at, leaves):
        """The same in one function: until interrupts are let in, and until it returns, or -1."""
        function = self.functions[at]
        begins = dict.fromkeys(filter(self.masks, function.follows), 0)
        for call in function.calls:
            left = [leaves[target] for target in self.targets.of(call, at) if target in leaves]
            if left and not call.tail:
                begins.update(dict.fromkeys(function.follows[call.at], max(left)))
        if not begins:
            return 0, -1
        graph = self.graph(at, called=lambda *_: 0)
        leads, admits, inner = graph.leading(END, *filter(self.admits, graph.follows)), (), None
        while inner is None or inner:  # what is restored within was masked before
            admits = {place for place in graph.follows if self.admits(place)} if inner is None else admits - inner
            inside = {place: [] if place in admits else following for place, following in graph.follows.items()}
            within, waiting, behind = set(begins), list(begins), set()
            while waiting:
                fresh = {target for target, _ in inside[waiting.pop()] if target in leads}
                behind |= fresh
                waiting += fresh - within
                within |= fresh
            inner = {place for place in admits & within if self.is_inner(function, place, behind)}
        costs = self.graph(at, within).follows  # what is called elsewhere needs no bound
        inside = {place: costs[place] if inside[place] else [] for place in within}
        found = Graph(inside, graph.bound).distances(within, begins)
        return max((cost for place, cost in found.items() if place in admits), default=0), found.get(END, -1)

    @staticmethod
    def is_inner(function, place, masked):
        """Whether an instruction can restore what another one has read where interrupts are MASKED."""
        kind, source = function.masking[place]
        if kind != "restores" or source is not None:
            return kind == "restores" and source in masked
        return any(what and what[0] in ("reads", "masks") and at in masked for at, what in function.masking.items())

    def masks(self, place):
        return self.kind(place) == "masks"

    def admits(self, place):
        return self.kind(place) in ("admits", "restores")

    def kind(self, place):
        if not hasattr(self, "kinds"):
            self.kinds = {at: what[0] for one in self.functions.values() for at, what in one.masking.items() if what}
        return self.kinds.get(place)


class Bounds:
    """How often a loop goes round, by its notes. ROUNDS: by the names that notes can have instead of a number.

    The note is on a line of the instructions that go back, or of the head. Else, since the compiler has moved the
    condition, it is the only one on the lines of a loop. Each instruction comes from the statement that the note means.
    """

    def __init__(self, binary, functions, targets, rounds):
        self.binary, self.functions, self.targets, self.rounds = binary, functions, targets, rounds
        self.lines, self.claims = None, []

    def of(self, function, loop, head, backs, depth):
        if self.lines is None:
            every = {place for one in self.functions.values() for place in one.follows}
            self.lines = self.binary.lines(sorted(every))
        for where in self.candidates([*backs, head]):
            if self.has_note(loop, where, depth):
                return self.claim(loop, where)
        inside = set().union(*(one for one, _ in self.claims if one < loop))
        places = sorted(place for place in loop - inside if self.lines.get(place))
        found = [where for where in self.candidates(places) if self.has_note(loop, where, depth)]
        if len(found) == 1:
            return self.claim(loop, found[0])
        chain = self.lines.get(head, ())
        where = "%s: the loop at %s" % (self.binary.name(function), "%s:%d" % chain[0] if chain else hex(head))
        note = self.targets.note(function, "loop")
        if note is None:
            raise Refused("%s has no bound (a note on its line says how often: pt-bounds: loop N)" % where)
        return self.number(note, where)

    def has_note(self, loop, where, depth):
        """Whether a line says how often a loop goes round, and it is not that of a loop inside."""
        inner = any(where == place and inside < loop for inside, place in self.claims)
        return not inner and self.targets.notes.at_loop(*where) is not None and self.is_of(loop, where, depth)

    def is_of(self, loop, where, depth):
        """Whether a loop can be the one that a note means: each instruction comes from a line of that statement, or of
        the loops around it if those are there, too. Else the compiler has unrolled that one inside of this."""
        path, notes = where[0], self.targets.notes
        first, last = notes.statement(*where)
        known = [chain for chain in map(self.lines.get, loop) if chain]
        inside = [next((i for i, (file, line) in enumerate(one) if file == path and first <= line <= last), None)
                  for one in known]  # fmt: skip
        outer = {chain[i:] for chain, i in zip(map(tuple, known), inside) if i is not None}
        return None not in inside or depth >= min(map(notes.depth, outer), default=depth + 1)

    def claim(self, loop, where):
        self.claims.append((loop, where))
        return self.number(self.targets.notes.at_loop(*where), "%s:%d" % where)

    def candidates(self, places):
        """The lines of instructions, those of the innermost functions first."""
        chains = [self.lines.get(place, ()) for place in places]
        for level in range(max(map(len, chains), default=0)):
            yield from dict.fromkeys(chain[level] for chain in chains if level < len(chain))

    def number(self, note, where):
        if isinstance(note, str) and note not in self.rounds:
            raise Refused("%s: the loop goes round `%s` times: --loop %s=N" % (where, note, note))
        return self.rounds.get(note, note)
