#!/usr/bin/env node
// Which branches do the tests of a layer never take? Usage: coverage.mjs BUILD FOLDER. BUILD was compiled for gcov, and its
// tests have run. Prints the branches that no test took, then a table by folder. A branch is one way out of one condition.
// Instances of a template count as one.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";

const [build, folder] = process.argv.slice(2);
const condition = /\b(if|while|for|switch)\b|\?|&&|\|\|/;
const counted = execFileSync("find", [build, "-name", "*.gcda"], { encoding: "utf8" }).trim().split("\n");
const texts = new Map();
const lines = new Map();  // by file, line, start of the function and number of branches

function textOf(path, number) {
  if (!texts.has(path)) {
    texts.set(path, readFileSync(path, "utf8").split("\n"));
  }
  return texts.get(path)[number - 1].trim();
}

for (const file of counted) {
  const reports = execFileSync("gcov", ["--branch-probabilities", "--json-format", "--stdout", file],
    { encoding: "utf8", maxBuffer: 2 ** 30 }).trim().split("\n");
  for (const source of reports.flatMap((report) => JSON.parse(report).files)) {
    const path = relative(".", source.file);
    if (!path.startsWith(`${folder}/`) || path.includes("/test/")) {
      continue;
    }
    const starts = new Map(source.functions.map((each) => [each.name, `${each.start_line}:${each.start_column}`]));
    for (const line of source.lines.filter((each) => condition.test(textOf(path, each.line_number)))) {
      // A call that may throw has two branches, the second of which is the exception's.
      const branches = line.branches.filter((branch, i) => !branch.throw && !line.branches[i + 1]?.throw);
      const key = [path, line.line_number, starts.get(line.function_name), branches.length].join(" ");
      const known = lines.get(key) ?? { path, number: line.line_number, taken: branches.map(() => 0), runs: 0 };
      branches.forEach((branch, i) => { known.taken[i] += branch.count; });
      known.runs += line.count;
      lines.set(key, known);
    }
  }
}

/** Without conditions that are never asked in a line that runs: what an exception leaves to clear away, and what follows a
 * condition of which a branch is missing already. */
function asked({ path, number, taken, runs }) {
  const hasPairs = taken.length % 2 === 0 && !/\bswitch\b/.test(textOf(path, number));
  return runs && hasPairs ? taken.filter((_, i) => taken[i] || taken[i ^ 1]) : taken;
}

const folders = new Map();
const all = [...lines.values()].sort((a, b) => a.path.localeCompare(b.path) || a.number - b.number);
for (const line of all) {
  const taken = asked(line);
  const missed = taken.flatMap((count, i) => (count ? [] : [i + 1]));
  const sums = folders.get(dirname(line.path)) ?? { branches: 0, missed: 0 };
  sums.branches += taken.length;
  sums.missed += missed.length;
  folders.set(dirname(line.path), sums);
  if (missed.length) {
    const which = line.runs ? `${missed.join(", ")} of ${taken.length}` : "never run";
    console.log(`${line.path}:${line.number}: ${which}: ${textOf(line.path, line.number)}`);
  }
}
console.log(`\n${"folder".padEnd(40)} branches  taken  not taken`);
for (const [name, { branches, missed }] of [...folders].sort()) {
  const [given, taken, left] = [[branches, 8], [branches - missed, 6], [missed, 10]].map(([n, wide]) => String(n).padStart(wide));
  console.log(`${name.padEnd(40)} ${given} ${taken} ${left}`);
}
