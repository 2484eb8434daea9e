// program.js - three workers, five jobs, in JavaScript (Node.js 20.3 or later)
// SPDX-License-Identifier: MIT
//- jobs
const { setTimeout: sleep } = require("node:timers/promises");

class Failed extends Error {}

const list = [
  { name: "logo", ms: 100 },
  { name: "movie", ms: 900 },
  { name: "news", ms: 200, broken: true },
  { name: "map", ms: 200 },
  { name: "mail", ms: 900 },
];
//- fetch
async function download(job, signal) {
  try {
    await sleep(job.ms, undefined, { signal });
    if (job.broken) throw new Failed();
  } finally {
    console.log(`${job.name}: closed`);
  }
}
//- worker
async function worker(jobs, stop) {
  while (jobs.length > 0) {
    const job = jobs.shift();
    const limit = AbortSignal.timeout(500);
    try {
      await download(job, AbortSignal.any([stop, limit]));
      console.log(`${job.name}: done`);
    } catch (error) {
      if (stop.aborted) return;
      if (limit.aborted) console.log(`${job.name}: too late`);
      else if (error instanceof Failed)
        console.log(`${job.name}: failed`);
      else throw error;
    }
  }
}
//- office
async function office() {
  const jobs = [...list];
  const stop = new AbortController();
  const workers = [];
  for (let i = 0; i < 3; i++)
    workers.push(worker(jobs, stop.signal));
  await sleep(600);
  stop.abort();
  await Promise.all(workers);
  console.log("all workers have ended");
}
//- main
office();
