// echo.rs - the echo server on Tokio, on one thread
// SPDX-License-Identifier: MIT
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;

async fn echo(mut socket: TcpStream) {
    let mut data = [0u8; 64];
    while let Ok(got @ 1..) = socket.read(&mut data).await {
        if socket.write_all(&data[..got]).await.is_err() {
            break;
        }
    }
}

async fn serve() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    loop {
        tokio::spawn(echo(listener.accept().await?.0));
    }
}

fn main() -> std::io::Result<()> {
    Builder::new_current_thread().enable_all().build()?.block_on(serve())
}
