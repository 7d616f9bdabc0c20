#!/usr/bin/env node
// Do the tests bite? Changes one operator, constant or condition of the sources at a time, in a tree of its own, and runs
// the tests until one fails. Usage: mutants.mjs COUNT [SEED [FOLDER [PROGRAM ...]]]. Exit code 1 where a layer's share of
// killed mutants is below what is wanted of it. The list of survivors, with what was changed, is printed and kept in
// build/mutants.json. With a FOLDER, a layer or a room, the sources below it are changed; with PROGRAMs, these alone are
// built and run.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const [count, seed] = [Number(process.argv[2] ?? 200), Number(process.argv[3] ?? Date.now() % 1e6)];
const [folder, ...chosen] = process.argv.slice(4).filter(Boolean);
const tree = "build/mutants";
const build = `${tree}/build/release`;
const secondsPerTest = "600";  // a mutant that makes a loop endless is killed by the clock

// What is wanted, and the test programs that are run, in this order: the first know the layer best.
const layers = {
  reference: { least: 0.95, programs: ["reference_test", "reference_oracle_test", "numerics_test", "props_test"] },
  numerics: { least: 0.95, programs: ["numerics_test", "numerics_plugin", "props_test", "reports_verdict", "reports_plugins"] },
  props: { least: 0.95, programs: ["props_test", "vernier_laws", "reports_verdict"] },
  reports: { least: 0.85, programs: ["reports_verdict", "reports_html", "reports_plugins", "reports_interop"] },
};

// Text and replacement; clang-format leaves spaces around binary operators, which tells `a < b` from `vector<b>`.
const mutations = [
  [/ < /g, " <= "], [/ <= /g, " < "], [/ > /g, " >= "], [/ >= /g, " > "], [/ == /g, " != "], [/ != /g, " == "],
  [/ && /g, " || "], [/ \|\| /g, " && "], [/ \+ /g, " - "], [/ - /g, " + "], [/ \* /g, " / "], [/ \/ /g, " * "],
  [/ \+= /g, " -= "], [/ -= /g, " += "], [/\btrue\b/g, "false"], [/\bfalse\b/g, "true"],
  [/\bif \((?!constexpr)(.*)\) \{$/g, "if (!($1)) {"], [/\bstd::min\b/g, "std::max"], [/\bstd::max\b/g, "std::min"],
  [/(?<![\w.])(\d+)(?![\w.'])/g, (digits) => String(BigInt(digits) + 1n)],
];

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function generator(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** What can be changed: places in code, not in comments, texts, includes and assertions. */
function mutantsOf(file) {
  const found = [];
  readFileSync(`${tree}/${file}`, "utf8").split("\n").forEach((line, index) => {
    if (/^\s*(\/\/|#|\*|assert\()/.test(line)) {
      return;
    }
    const code = line.replace(/"([^"\\]|\\.)*"|\/\/.*$/g, (text) => " ".repeat(text.length));
    for (const [pattern, by] of mutations) {
      for (const match of code.matchAll(pattern)) {
        const changed = line.slice(match.index, match.index + match[0].length).replace(new RegExp(pattern.source), by);
        found.push({ file, line: index + 1, was: line,
          is: line.slice(0, match.index) + changed + line.slice(match.index + match[0].length) });
      }
    }
  });
  return found;
}

function write({ file, line }, text) {
  const lines = readFileSync(`${tree}/${file}`, "utf8").split("\n");
  lines[line - 1] = text;
  writeFileSync(`${tree}/${file}`, lines.join("\n"));
}

function succeeds(command, args) {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The first program that a mutant does not pass; "" where it passes all, null where it does not compile. */
function killer(programs) {
  for (const program of programs) {
    if (!succeeds("ninja", ["-C", build, program])) {
      return null;
    }
    if (!succeeds("ctest", ["--test-dir", build, "-R", `^${program}[.]part`, "--stop-on-failure", "-j2",
      "--timeout", secondsPerTest])) {
      return program;
    }
  }
  return "";
}

if (!existsSync(tree)) {
  execFileSync("git", ["worktree", "add", "--force", "--detach", tree], { stdio: "ignore" });
}
execFileSync("git", ["-C", tree, "checkout", "--quiet", "--force", "--detach", execFileSync("git", ["rev-parse", "HEAD"]).toString().trim()]);
execFileSync("cmake", ["--preset", "release", "-Wno-dev", "--log-level=WARNING", "-DVERNIER_UNITY=OFF"], { cwd: tree, stdio: "ignore" });
const files = execFileSync("git", ["ls-files", ...(folder ? [folder] : Object.keys(layers))], { encoding: "utf8" }).split("\n")
  .filter((file) => /\.cpp$/.test(file) && !/(^|\/)(test|bench|fuzz|examples|plugins|runner)\//.test(file));
const all = files.flatMap(mutantsOf);
const random = generator(seed);
console.log(`seed ${seed}: ${count} of ${all.length} mutants`);

const tally = Object.fromEntries(Object.keys(layers).map((layer) => [layer, { compiled: 0, killed: 0 }]));
const survivors = [];
const programsOf = (layer) => (chosen.length ? chosen : layers[layer].programs);
const programs = [...new Set(files.flatMap((file) => programsOf(file.split("/")[0])))];
if ((!chosen.length && !succeeds("ninja", ["-C", build])) || killer(programs) !== "") {
  console.error("the tests do not pass without a mutant");
  process.exit(2);
}
for (let i = 0; i < count; ++i) {
  const mutant = all[Math.floor(random() * all.length)];
  const layer = mutant.file.split("/")[0];
  write(mutant, mutant.is);
  const by = killer(programsOf(layer));
  write(mutant, mutant.was);
  console.log(`${String(i + 1).padStart(4)}  ${(by === null ? "does not compile" : by || "SURVIVES").padEnd(22)} ` +
    `${mutant.file}:${mutant.line}  ${mutant.is.trim()}`);
  if (by !== null) {
    ++tally[layer].compiled;
    if (by) {
      ++tally[layer].killed;
    } else {
      survivors.push(mutant);
    }
  }
}

let isGood = true;
for (const [layer, { compiled, killed }] of Object.entries(tally)) {
  const share = compiled ? killed / compiled : 1;
  isGood &&= share >= layers[layer].least;
  console.log(`${layer.padEnd(10)} ${killed} of ${compiled} killed (${(100 * share).toFixed(1)} %, wanted ${100 * layers[layer].least} %)`);
}
writeFileSync("build/mutants.json", JSON.stringify({ seed, count, tally, survivors }, null, 1) + "\n");
process.exit(isGood ? 0 : 1);
