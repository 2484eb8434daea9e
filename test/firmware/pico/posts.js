// posts.js - a post at every instruction: of the post on one core, and of the loop on the other
// SPDX-License-Identifier: MIT
//
//     node posts.js PROGRAM.elf POSTER [EACH]      PROGRAM is posts.c; POSTER: the core that posts
//
// A point is two numbers. From its wake the loop's core runs LOOP instructions; then the other core
// runs POST instructions of a post; then the loop's core runs until it sleeps, or spins; then the
// post ends, and both run on. All points are tried, until the loop's core has slept before its last
// instruction and the post has returned, or waits for the lock, before its last one: with nothing
// else to do ("idle"), and with an earlier post to hear ("posted"), behind which the loop's own
// task posts, too. EACH: only each EACHth number of the loop. A post is lost if it was not counted,
// or if nobody heard it, by the time that both cores rest; the first ends the run, and so does a
// loop that does not sleep any more.
const { Chip } = require("./chip");

const RAM = 0x20000000;
const TURN = 2000, REST = 40000; // instructions: more than a turn has; until both must rest

class Points {
    constructor(path, poster) {
        const chip = this.chip = new Chip();

        chip.load(path);
        this.symbols = chip.program.symbols;
        this.gate = this.symbols.post_one;
        this.poster = chip.cores[poster];
        this.loop = chip.cores[1 - poster];
        this.points = 0;
        this.begin(poster);
    }

    // .bss is cleared by the program: POSTER is set when that is done.
    begin(poster) {
        const { chip } = this;
        const main = this.symbols.main;

        while (chip.cores[0].PC !== main)
            chip.advance();
        chip.writeUint32(this.symbols.poster, poster);
        for (let i = 0; i < 1e6 && !(this.loop.running && this.loop.asleep); i++)
            chip.advance();
    }

    value(name) {
        return this.chip.sramView.getUint32(this.symbols[name] - RAM, true);
    }

    // One more post; returns when the poster is at its first instruction.
    want() {
        const { chip, poster, gate } = this;

        chip.writeUint32(this.symbols.wanted, this.value("made") + 1);
        for (let i = 0; poster.PC !== gate && i < TURN; i++)
            chip.step(poster);
    }

    get made() {
        return this.value("made") === this.value("wanted");
    }

    finish(limit) {
        for (let i = 0; !this.made && i < limit; i++)
            this.chip.step(this.poster);
    }

    // Both run until the loop sleeps with everything done.
    rest() {
        const { chip } = this;

        for (let i = 0; i < REST && !(this.made && this.loop.asleep); i++)
            chip.advance();
    }

    // The loop's core runs until it sleeps, or waits for the lock.
    untilItWaits() {
        const { chip, loop } = this;
        const refused = chip.locks.refused;

        for (let i = 0; i < TURN && !loop.asleep && chip.locks.refused === refused; i++)
            chip.step(loop);
    }

    // Returns [the loop's core came so far, the poster came so far].
    point(posted, loopSteps, postSteps) {
        const { chip, loop, poster } = this;
        let loops = 0, posts = 0;

        if (posted) {
            this.want();
            this.finish(TURN);
        } else
            loop.event();
        this.want();
        for (; loops < loopSteps && !loop.asleep; loops++)
            chip.step(loop);
        const { refused } = chip.locks;
        for (; posts < postSteps && !this.made && chip.locks.refused === refused; posts++)
            chip.step(poster);
        this.untilItWaits();
        this.finish(TURN);
        this.rest();
        this.points++;
        this.judge(posted, loopSteps, postSteps);
        return [loops === loopSteps, posts === postSteps];
    }

    judge(posted, loopSteps, postSteps) {
        const wanted = this.value("wanted");
        const names = ["made", "counted", "heard", "echoed"];
        const said = names.map(name => `${this.value(name)} ${name}`).join(", ");
        const sleeps = this.loop.asleep ? "" : "; the loop does not sleep";

        if (!sleeps && names.every(name => this.value(name) === wanted))
            return;
        throw new Lost(`${posted ? "posted" : "idle"}, loop at ${loopSteps}, ` +
            `post at ${postSteps}: ${wanted} posts, ${said}${sleeps}`);
    }

    // All points of one kind; returns how far the loop and the post can be.
    sweep(posted, each) {
        let loopSteps = 0, posts = 0;

        for (let more = true; more; loopSteps += each) {
            for (let postSteps = 0, morePosts = true; morePosts; postSteps++) {
                [more, morePosts] = this.point(posted, loopSteps, postSteps);
                posts = Math.max(posts, postSteps);
            }
        }
        return [loopSteps, posts];
    }
}

class Lost extends Error {}

function main() {
    const [path, poster, each] = process.argv.slice(2);
    const points = new Points(path, Number(poster));
    let lost = 0;

    try {
        for (const posted of [false, true]) {
            const [loop, post] = points.sweep(posted, Number(each || 1));

            console.log(`${posted ? "posted" : "idle"}: ${loop} instructions of the loop, ` +
                `${post} of the post`);
        }
    } catch (error) {
        if (!(error instanceof Lost))
            throw error;
        console.log(error.message);
        lost = 1;
    }
    const { locks } = points.chip;
    console.log(`${points.points} points tried, ${lost} posts lost; the lock was refused ` +
        `${locks.refused} times of ${locks.taken}, the loop slept ${points.loop.slept} times`);
    process.exit(lost);
}

main();
