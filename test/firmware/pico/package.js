// package.js - the modules of rp2040js, which scripts/npm installs
// SPDX-License-Identifier: MIT
const { execFileSync } = require("child_process");
const path = require("path");

const RP2040JS = "rp2040js@1.4.1";
const npm = path.join(__dirname, "../../../scripts/npm");
const folder = execFileSync(npm, [RP2040JS], { encoding: "utf8" }).trim();

// rp2040js(NAME) - its module of this name, also those that the package does not export
function rp2040js(name) {
    return require(path.join(folder, "dist/cjs", name + ".js"));
}

module.exports = { rp2040js };
