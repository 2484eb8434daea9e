// program.js - one countdown in five ways, in JavaScript: node program.js wrong|callbacks|promises|awaits|generator
// SPDX-License-Identifier: MIT
const begin = performance.now();

function print(text) {
  const seconds = Math.round((performance.now() - begin) / 1000);
  console.log(`${seconds} s: ${text}`);
}
//- wrong
function wrong() {
  for (let n = 3; n > 0; n--)
    setTimeout(() => print(n), 1000);
  print("lift-off");
}
//- callbacks
function callbacks(n, then) {
  if (n === 0)
    return then("lift-off");
  print(n);
  setTimeout(() => callbacks(n - 1, then), 1000);
}
//- sleep
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
//- promises
function promises(n) {
  if (n === 0)
    return Promise.resolve("lift-off");
  print(n);
  return sleep(1000).then(() => promises(n - 1));
}
//- awaits
async function awaits() {
  for (let n = 3; n > 0; n--) {
    print(n);
    await sleep(1000);
  }
  return "lift-off";
}
//- launch
async function launch() {
  const word = await awaits();
  print(word);
}
//- generator
function* generator() {
  for (let n = 3; n > 0; n--) {
    print(n);
    yield sleep(1000);
  }
  return "lift-off";
}
//- drive
function drive(body, then, got) {
  const { done, value } = body.next(got);
  if (done)
    then(value);
  else
    value.then((next) => drive(body, then, next));
}
//- main
const ways = {
  wrong,
  callbacks: () => callbacks(3, print),
  promises: () => promises(3).then(print),
  awaits: launch,
  generator: () => drive(generator(), print),
};

ways[process.argv[2] ?? "awaits"]();
