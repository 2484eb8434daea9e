// loop.rs - yields, timeouts, wakes and rockets on Tokio, like loop.c
// SPDX-License-Identifier: MIT
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::time::sleep;

fn spent() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

async fn turns(count: u32) {
    for _ in 0..count {
        tokio::task::yield_now().await;
    }
}

async fn take_turns() -> f64 {
    let (yielders, yields) = (1000, 1000);
    let start = spent();
    let all: Vec<_> = (0..yielders).map(|_| tokio::spawn(turns(yields))).collect();
    for task in all {
        task.await.unwrap();
    }
    (spent() - start) / (yielders * yields) as f64
}

async fn timeout() -> f64 {
    let (rearms, count, limit) = (10, 100000, Duration::from_secs(30));
    let mut timers: Vec<_> = (0..count).map(|_| Box::pin(sleep(limit))).collect();
    let mut put_off = || {
        let until = tokio::time::Instant::now() + limit;
        timers.iter_mut().for_each(|timer| timer.as_mut().reset(until));
    };
    put_off();
    let start = spent();
    (0..rearms).for_each(|_| put_off());
    (spent() - start) / (rearms * count) as f64
}

fn send_all(wake: mpsc::UnboundedSender<Instant>, woken: Arc<AtomicUsize>) {
    unsafe {
        let mut first: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(0, &mut first);
        libc::sched_setaffinity(0, std::mem::size_of_val(&first), &first);
    }
    for i in 0..1000 {
        while woken.load(Ordering::SeqCst) != i {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(50));
        wake.send(Instant::now()).unwrap();
    }
}

async fn wake() -> f64 {
    let (send, mut receive) = mpsc::unbounded_channel();
    let woken = Arc::new(AtomicUsize::new(0));
    let (theirs, mut times) = (woken.clone(), Vec::new());
    std::thread::spawn(move || send_all(send, theirs));
    while let Some(sent) = receive.recv().await {
        times.push(sent.elapsed().as_nanos() as f64);
        woken.fetch_add(1, Ordering::SeqCst);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

async fn rocket(i: u64) {
    sleep(Duration::from_micros(i * 3090169 % 5000000)).await;
    for _ in 0..i % 5 {
        sleep(Duration::from_secs(1)).await;
    }
}

async fn rockets() -> f64 {
    let start = spent();
    let all: Vec<_> = (0..10000).map(|i| tokio::spawn(rocket(i))).collect();
    for task in all {
        task.await.unwrap();
    }
    (spent() - start) / 1e6
}

fn main() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let figure = match std::env::args().nth(1).as_deref() {
        Some("yield") => runtime.block_on(take_turns()),
        Some("timeout") => runtime.block_on(timeout()),
        Some("wake") => runtime.block_on(wake()),
        _ => runtime.block_on(rockets()),
    };
    println!("{:.2}", figure);
}
