// http.rs - the server of bench http on hyper, on one thread: http [CHAIN KEY], in DER; prints its port
// SPDX-License-Identifier: MIT
use hyper::header::{HeaderValue, CONTENT_TYPE};
use hyper::server::conn::Http;
use hyper::service::service_fn;
use hyper::{Body, Request, Response};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::task::LocalSet;
use tokio_rustls::rustls::{Certificate, PrivateKey, ServerConfig};
use tokio_rustls::TlsAcceptor;

static SMALL: [u8; 100] = [0; 100];
static LARGE: [u8; 64 << 10] = [0; 64 << 10];

async fn reply(request: Request<Body>) -> Result<Response<Body>, Infallible> {
    let page: &'static [u8] = if request.uri().path() == "/small" { &SMALL } else { &LARGE };
    let mut response = Response::new(Body::from(page));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    Ok(response)
}

async fn talk<S: AsyncRead + AsyncWrite + Unpin + 'static>(stream: S) {
    let _ = Http::new().http1_only(true).serve_connection(stream, service_fn(reply)).await;
}

fn acceptor(chain: &str, key: &str) -> TlsAcceptor {
    let read = |name| std::fs::read(name).unwrap();
    let config = ServerConfig::builder()
        .with_safe_defaults()
        .with_no_client_auth()
        .with_single_cert(vec![Certificate(read(chain))], PrivateKey(read(key)))
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

async fn serve(names: &[String]) -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let tls = (names.len() == 2).then(|| acceptor(&names[0], &names[1]));
    println!("{}", listener.local_addr()?.port());
    loop {
        let stream = listener.accept().await?.0;
        stream.set_nodelay(true)?;
        match tls.clone() {
            None => drop(tokio::task::spawn_local(talk(stream))),
            Some(tls) => drop(tokio::task::spawn_local(async move {
                if let Ok(stream) = tls.accept(stream).await {
                    talk(stream).await;
                }
            })),
        }
    }
}

fn main() -> std::io::Result<()> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, serve(&names))
}
