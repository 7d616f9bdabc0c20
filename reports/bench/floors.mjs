// Judges measured ratios by the floors of floors.json, which is the one place where they stand.

import { readFileSync } from "node:fs";

/** The floors by the name of their ratio, in the order in which they are told. */
export const readFloors = () => JSON.parse(readFileSync(new URL("floors.json", import.meta.url), "utf8"));

/** The limit of an instruction set, or the one of all. */
const limitOf = (limits, set) => (typeof limits === "number" ? limits : limits?.[set]);

const holds = (floor, value, limit) => (floor.sense === "at most" ? value <= limit : value >= limit);

/**
 * One verdict for each floor and instruction set that was measured. A ratio without a floor, a floor whose ratio was
 * never measured and a value that is no number do not hold.
 * @param ratios by name, then by instruction set
 */
export function judge(ratios, floors = readFloors()) {
  const names = new Set([...Object.keys(floors), ...Object.keys(ratios)]);
  return [...names].flatMap((name) => {
    const measured = Object.entries(ratios[name] ?? {});
    return (measured.length > 0 ? measured : [["", undefined]]).map(([set, value]) => {
      const floor = floors[name];
      const limit = limitOf(floor?.floor, set);
      const target = limitOf(floor?.target, set);
      const isJudged = Number.isFinite(value) && Number.isFinite(limit);
      return {
        name, set, value, limit, target,
        sense: floor?.sense ?? "",
        holds: isJudged && holds(floor, value, limit),
        meets_target: isJudged && (target === undefined || holds(floor, value, target)),
      };
    });
  });
}

const verdictOf = (verdict) =>
  !verdict.holds ? "BELOW ITS FLOOR" : verdict.meets_target ? "holds" : `holds, short of ${verdict.target}`;

/** The verdicts as lines of text. */
export function verdictText(verdicts) {
  const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : "none");
  const rows = verdicts.map((verdict) => [
    verdict.name, verdict.set, number(verdict.value, 3), verdict.sense, number(verdict.limit, 2), verdictOf(verdict)]);
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const isNumber = (column) => column === 2 || column === 4;
  const padded = (cell, i) => (isNumber(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i]));
  return rows.map((row) => row.map(padded).join("  ").trimEnd()).join("\n");
}
