// Measures the ratios of speed, judges them by floors.json and writes README.md's table. The exit code is 1 if one is
// below its floor.
// Usage: node ratios.mjs BIN_FOLDER RESULT.json README.md
// or, of what was measured before: node ratios.mjs --check RESULT.json

import { readFileSync, writeFileSync } from "node:fs";

import { judge, readFloors, verdictText } from "./floors.mjs";
import { measure } from "./measure.mjs";
import { writeTable } from "./table.mjs";

function measured(bin, output, document) {
  const result = measure(bin);
  writeFileSync(output, JSON.stringify(result, null, 1) + "\n");
  writeTable(document, result, readFloors());
  return result;
}

const args = process.argv.slice(2);
const isCheck = args[0] === "--check";
if (args.length !== (isCheck ? 2 : 3)) {
  throw new Error("Usage: node ratios.mjs BIN_FOLDER RESULT.json README.md, or node ratios.mjs --check RESULT.json");
}
const result = isCheck ? JSON.parse(readFileSync(args[1], "utf8")) : measured(...args);
const verdicts = judge(result.ratios);
console.log(verdictText(verdicts));
process.exitCode = verdicts.every((verdict) => verdict.holds) ? 0 : 1;
