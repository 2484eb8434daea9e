// program.rs - three workers, five jobs, in Rust with Tokio 1
// SPDX-License-Identifier: MIT
//- jobs
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

struct Failed;

struct Job {
    name: &'static str,
    ms: u64,
    broken: bool,
}

type Jobs = Arc<Mutex<VecDeque<Job>>>;

fn list() -> VecDeque<Job> {
    [("logo", 100, false),
     ("movie", 900, false),
     ("news", 200, true),
     ("map", 200, false),
     ("mail", 900, false)]
        .map(|(name, ms, broken)| Job { name, ms, broken })
        .into()
}
//- fetch
struct Open(&'static str);

impl Drop for Open {
    fn drop(&mut self) {
        println!("{}: closed", self.0);
    }
}

async fn fetch(job: &Job) -> Result<(), Failed> {
    let _open = Open(job.name);
    sleep(Duration::from_millis(job.ms)).await;
    if job.broken {
        return Err(Failed);
    }
    Ok(())
}
//- worker
fn next(jobs: &Jobs) -> Option<Job> {
    jobs.lock().unwrap().pop_front()
}

async fn worker(jobs: Jobs) {
    while let Some(job) = next(&jobs) {
        let limit = Duration::from_millis(500);
        match timeout(limit, fetch(&job)).await {
            Err(_) => println!("{}: too late", job.name),
            Ok(Err(Failed)) => println!("{}: failed", job.name),
            Ok(Ok(())) => println!("{}: done", job.name),
        }
    }
}
//- office
async fn office() {
    let jobs = Arc::new(Mutex::new(list()));
    let mut workers = JoinSet::new();
    for _ in 0..3 {
        workers.spawn(worker(jobs.clone()));
    }
    sleep(Duration::from_millis(600)).await;
    workers.shutdown().await;
    println!("all workers have ended");
}
//- main
#[tokio::main(flavor = "current_thread")]
async fn main() {
    office().await;
}
