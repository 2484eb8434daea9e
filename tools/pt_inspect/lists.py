# lists.py - walks pt's lists, and says where one is damaged
# SPDX-License-Identifier: MIT
#
# A list of a program that has gone wrong can lead anywhere, also back into itself. Each walk ends: a
# node counts once, and where nodes have back links each must lead back to where the walk came from.

from .memory import Unreadable


class Damaged(Exception):
    """A list that does not lead where it should."""


def chain(debugger, link, end, what, marked=False):
    """The nodes from the one that the pointer at LINK leads to, up to END (0: NULL). WHAT: the list. MARKED: the last
    node is a mark, which does not count and has no back link."""
    node_type = debugger.layout("pt_node")
    following = node_type.offset("link.next")
    back = node_type.fields.get("prev")
    memory, word = debugger.memory, debugger.word
    seen = set()
    try:
        node = debugger.data_address(memory.number(link, word))
        while node != end:
            if node in seen:
                raise Damaged("%s is damaged: after %d nodes it leads back into itself" % (what, len(seen)))
            if not node:
                raise Damaged("%s is damaged: it ends after %d nodes" % (what, len(seen)))
            if marked and not memory.number(node + following, word):
                return
            if back and debugger.data_address(memory.number(node + back.offset, word)) != link:
                raise Damaged(
                    "%s is damaged: after %d nodes it leads to 0x%x, which does not lead back"
                    % (what, len(seen), node)
                )
            seen.add(node)
            yield node
            link = node + following
            node = debugger.data_address(memory.number(link, word))
    except Unreadable as fault:
        raise Damaged("%s is damaged: after %d nodes there is %s" % (what, len(seen), fault)) from None


def unlinked(debugger, node, end, what):
    """The nodes from NODE up to END, in a list without back links: a ready queue."""
    following = debugger.layout("pt_node").offset("link.next")
    seen = set()
    try:
        while node != end:
            if node in seen or not node:
                raise Damaged("%s is damaged after %d nodes" % (what, len(seen)))
            seen.add(node)
            yield node
            node = debugger.data_address(debugger.memory.number(node + following, debugger.word))
    except Unreadable as fault:
        raise Damaged("%s is damaged: after %d nodes there is %s" % (what, len(seen), fault)) from None


def wait_queue(debugger, address, what):
    """The nodes of the struct pt_wait_queue_ at ADDRESS, in order."""
    layout = debugger.layout("pt_wait_queue_")
    if "last" in layout:  # no node leaves early: one pointer, to the last of a ring
        last = debugger.data_address(debugger.memory.number(address, debugger.word))
        if last:
            first = debugger.data_address(
                debugger.memory.number(last + debugger.layout("pt_node").offset("link.next"), debugger.word)
            )
            yield from unlinked(debugger, first, last, what)
            yield last
        return
    link = address + layout.offset("end.link.next")
    if not debugger.memory.number(link, debugger.word):
        return  # zeroed: it was never initialized
    yield from chain(debugger, link, address, what)


def wait_list(debugger, address, what, marked=False):
    """The nodes of the struct pt_wait_list_ at ADDRESS, the latest first. MARKED: as chain."""
    if debugger.layout("pt_node").fields.get("prev"):
        yield from chain(debugger, address, 0, what, marked)
    else:
        first = debugger.data_address(debugger.memory.number(address, debugger.word))
        yield from unlinked(debugger, first, 0, what)
