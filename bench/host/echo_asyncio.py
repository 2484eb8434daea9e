# echo_asyncio.py - the echo server on asyncio, as a protocol (its fastest form); with "uvloop" on uvloop
# SPDX-License-Identifier: MIT
import asyncio
import sys


class Echo(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.transport.write(data)


async def main():
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if "uvloop" in sys.argv:
    import uvloop

    uvloop.install()
asyncio.run(main())
