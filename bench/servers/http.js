// http.js - the server of bench http on Node: node http.js [CHAIN KEY]; prints its port
// SPDX-License-Identifier: MIT
"use strict";
const fs = require("fs");

const pages = { "/small": Buffer.alloc(100), "/large": Buffer.alloc(64 << 10) };

function reply(request, response) {
    const page = pages[request.url];

    response.writeHead(200, { "Content-Type": "text/plain", "Content-Length": page.length });
    response.end(page);
}

const [chain, key] = process.argv.slice(2);
const server = chain
    ? require("https").createServer({ cert: fs.readFileSync(chain), key: fs.readFileSync(key) }, reply)
    : require("http").createServer(reply);

server.keepAliveTimeout = 60000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
