# peers.py - the addresses to which the descriptors of a process are connected
# SPDX-License-Identifier: MIT

import os
import socket
import struct


def waits(report):
    """Each descriptor for which a task waits, as the dictionary that describes it."""
    for loop in report["loops"]:
        for task in loop["tasks"]:
            pending = [task["waits"]] if "waits" in task else []
            while pending:
                object = pending.pop()
                pending += object.get("cases", ())
                if object.get("fd", -1) >= 0:
                    yield object


def links(pid, report):
    """{descriptor: "socket:[inode]", or the name of a file}; while the process stands still."""
    found = {}
    for object in waits(report):
        try:
            found[object["fd"]] = os.readlink("/proc/%s/fd/%d" % (pid, object["fd"]))
        except OSError:
            pass  # it has ended, or it is another user's
    return found


def add(pid, report, links):
    """Put the peer of each descriptor into the report."""
    if not any(link.startswith("socket:") for link in links.values()):
        table = {}
    else:
        table = {**inet(pid, "tcp", 4), **inet(pid, "tcp6", 16), **inet(pid, "udp", 4), **unix(pid)}
    for object in waits(report):
        link = links.get(object["fd"])
        if link and link.startswith("socket:["):
            peer = table.get(link[8:-1])
            if peer:
                object["peer"] = peer
        elif link and link.startswith("/"):
            object["peer"] = link


def rows(pid, name):
    try:
        with open("/proc/%s/net/%s" % (pid, name)) as file:
            next(file, None)
            for line in file:
                yield line.split()
    except OSError:
        return


def inet(pid, name, size):
    """{inode: "1.2.3.4:80"}; a listener has its own address."""
    found = {}
    for row in rows(pid, name):
        listens = row[3] == "0A"
        found[row[9]] = ("listens on " if listens else "peer ") + endpoint(row[1] if listens else row[2], size)
    return found


def endpoint(text, size):
    number, port = text.split(":")
    words = [int(number[i : i + 8], 16) for i in range(0, size * 2, 8)]
    raw = b"".join(struct.pack("=I", word) for word in words)
    name = socket.inet_ntop(socket.AF_INET if size == 4 else socket.AF_INET6, raw)
    return "%s:%d" % (name if size == 4 else "[%s]" % name, int(port, 16))


def unix(pid):
    return {row[6]: row[7] for row in rows(pid, "unix") if len(row) > 7}
