// The table of measured ratios in README.md. It stands between two marks, and only a measurement writes there.

import { readFileSync, writeFileSync } from "node:fs";

const begin = "<!-- `make bench` writes from here -->";
const end = "<!-- to here -->";

const columns = { portable: "x86-64", "x86-64-v3": "AVX2", "x86-64-v4": "AVX-512" };

/** Three digits or more. */
const cell = (value) => (value === undefined ? "" : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0));

/** What was measured, as Markdown. */
export function tableOf(result, floors) {
  const sets = Object.keys(columns).filter((set) => Object.values(result.ratios).some((of) => set in of));
  const row = (cells) => `| ${cells.join(" | ")} |`.replace(/\|  (?=\|)/g, "| ");
  const { processor, cores, load } = result.machine;
  const besides = load > 0.5 ? `, beside other work (a load of ${load.toFixed(1)})` : "";
  return [
    `Measured ${result.date} at commit ${result.commit}, on ${processor} with ${cores} cores${besides}:`,
    "",
    row(["ratio", "of", ...sets.map((set) => columns[set])]),
    row(["---", "---", ...sets.map(() => "---")]),
    ...Object.entries(floors).filter(([name]) => name in result.ratios).map(([name, floor]) =>
      row([`\`${name}\``, floor.meaning, ...sets.map((set) => cell(result.ratios[name][set]))])),
  ].join("\n");
}

/** The document with the table between the marks. */
export function withTable(document, table) {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`The document lacks the marks ${begin} and ${end}.`);
  }
  return `${document.slice(0, from + begin.length)}\n${table}\n${document.slice(to)}`;
}

export function writeTable(path, result, floors) {
  writeFileSync(path, withTable(readFileSync(path, "utf8"), tableOf(result, floors)));
}
