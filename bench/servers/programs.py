# programs.py - builds the programs of bench http and bench kv: servers, and their client
# SPDX-License-Identifier: MIT
import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(1, os.path.join(ROOT, "bench/host"))
from peers import CC, CRATES, URING, attempt, cargo, objects  # noqa: E402

NGINX = """daemon off; master_process off; worker_processes 1; pid {out}/nginx.pid; error_log stderr crit;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 100000000; keepalive_timeout 60s; sendfile on; tcp_nopush on;
    default_type text/plain;
    client_body_temp_path {out}/t1; proxy_temp_path {out}/t2; fastcgi_temp_path {out}/t3; uwsgi_temp_path {out}/t4;
    scgi_temp_path {out}/t5; open_file_cache max=10;
    server {{
        listen 127.0.0.1:{port}{ssl}; root {out};
        ssl_protocols TLSv1.3; ssl_certificate {out}/chain.pem; ssl_certificate_key {out}/key.pem;
        location = /small {{ return 200 "{small}"; }}
    }}
}}
"""


def free_port():
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return any_port.getsockname()[1]


def certificate(out):
    """One certificate for all, in PEM; and in DER for rustls."""
    for words in ("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out chain.pem "
                  "-days 3650 -subj /CN=localhost",
                  "x509 -in chain.pem -outform der -out chain.der",
                  "pkcs8 -topk8 -nocrypt -in key.pem -outform der -out key.der"):
        subprocess.run(["openssl", *words.split()], cwd=out, check=True, capture_output=True)


# How programs on pt are built: as ./configure does; for HTTP also as hyper is, which has this in its Cargo.toml.
PLAIN, AS_HYPER = [], ["-O3", "-flto"]


def build_pt(out, programs, name, flags):
    """The servers on pt. llhttp is compiled from where Debian installs it."""
    found = subprocess.run(["sh", os.path.join(ROOT, "http/find-llhttp")], capture_output=True, text=True)
    llhttp = found.stdout.strip()
    folders = ["-I" + os.path.join(ROOT, folder) for folder in ("http", "tls")]
    if llhttp:
        folders += ["-isystem", llhttp, "-isystem", llhttp + "/../include/llhttp"]
    sources = [name for folder in ("lib", "tls", "http" if llhttp else "")
               for name in (glob.glob(os.path.join(ROOT, folder, "**/*.c"), recursive=True) if folder else [])]
    folder = tempfile.mkdtemp(dir=out)
    made = objects(folder, flags + folders + URING, *sources)
    for word in programs:
        path = os.path.join(folder, word)
        command = CC + flags + folders + [os.path.join(HERE, word + "_pt.c")] + made
        if (llhttp or word == "kv") and attempt(f"{name}: {word}", command + ["-lssl", "-lcrypto", *URING, "-o", path]):
            programs[word][name] = lambda tls, path=path: [path] + pems(out, tls)
            if URING and word == "http" and flags:
                programs[word]["ring"] = lambda tls, path=path: ["env", "PT_POLLER=io_uring", path] + pems(out, tls)


def pems(out, tls, form="pem"):
    return [f"{out}/chain.{form}", f"{out}/key.{form}"] if tls else []


def build_http(out, servers):
    with open(os.path.join(out, "large"), "wb") as file:
        file.write(bytes(64 << 10))
    floor = os.path.join(out, "http-floor")
    if attempt("floor", CC + [os.path.join(HERE, "http_floor.c"), "-lssl", "-lcrypto", "-o", floor]):
        servers["floor"] = lambda tls: [floor] + pems(out, tls)
    if shutil.which("nginx"):
        servers["nginx"] = lambda tls: nginx(out, tls)
    if shutil.which("node"):
        servers["Node"] = lambda tls: ["node", os.path.join(HERE, "http.js")] + pems(out, tls)
    path = os.path.join(out, "http-go")
    environment = dict(os.environ, GO111MODULE="off", GOCACHE=os.path.join(out, "cache"))
    command = ["go", "build", "-o", path, os.path.join(HERE, "http.go")]
    if shutil.which("go") and attempt("Go", command, env=environment):
        servers["Go"] = lambda tls: [path] + pems(out, tls)
    if glob.glob(CRATES + "/hyper-0.14.*") and glob.glob(CRATES + "/tokio-rustls-*"):
        hyper = cargo("hyper", os.path.join(HERE, "hyper"), out)
        if hyper:
            servers["hyper"] = lambda tls: [hyper + "/http"] + pems(out, tls, "der")
    for name in ("nginx", "Node", "Go", "hyper"):
        if name not in servers:
            print("bench: no", name, file=sys.stderr)


def nginx(out, tls):
    port = free_port()
    with open(os.path.join(out, "nginx.conf"), "w") as file:
        file.write(NGINX.format(out=out, port=port, ssl=" ssl" if tls else "", small="x" * 100))
    return ["nginx", "-p", out, "-c", os.path.join(out, "nginx.conf")], port


def redis(out, tls):
    port = free_port()
    ports = ["--port", "0", "--tls-port", str(port), "--tls-cert-file", f"{out}/chain.pem", "--tls-key-file",
             f"{out}/key.pem", "--tls-auth-clients", "no"] if tls else ["--port", str(port)]
    return ["redis-server", *ports, "--save", "", "--appendonly", "no", "--io-threads", "1", "--dir", out], port


def build(out, word):
    """{name: function(tls) -> command, or command and port}, and the client's command."""
    programs = {word: {}}
    client = os.path.join(out, "load")
    subprocess.run(CC + [os.path.join(HERE, "load.c"), "-lssl", "-lcrypto", "-o", client], check=True)
    certificate(out)
    build_pt(out, programs, "pt", AS_HYPER if word == "http" else PLAIN)
    if word == "http":
        build_pt(out, programs, "pt -O2", PLAIN)
        build_http(out, programs[word])
    elif shutil.which("redis-server"):
        programs[word]["Redis"] = lambda tls: redis(out, tls)
    return programs[word], [client]
