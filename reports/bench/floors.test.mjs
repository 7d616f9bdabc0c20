// Shows that the floors can fail. Run by `node --test`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { judge, readFloors, verdictText } from "./floors.mjs";
import { tableOf, withTable } from "./table.mjs";

const floors = {
  speed: { sense: "at least", floor: { wide: 2, plain: 1 }, target: { wide: 3 }, meaning: "a over b" },
  time: { sense: "at most", floor: 4, meaning: "time of a over b" },
};
const ratios = { speed: { wide: 2.5, plain: 1 }, time: { wide: 4 } };
const failing = (changed) =>
  judge({ ...ratios, ...changed }, floors).filter((verdict) => !verdict.holds).map(({ name }) => name);

test("what is on the right side of its floor holds", () => {
  assert.deepEqual(failing({}), []);
  assert.deepEqual(judge(ratios, floors).map((verdict) => verdict.meets_target), [false, true, true]);
  assert.match(verdictText(judge(ratios, floors)), /speed +wide +2\.500 +at least +2\.00 +holds, short of 3\n/);
});

test("what is on the wrong side does not", () => {
  assert.deepEqual(failing({ speed: { wide: 1.9, plain: 1 } }), ["speed"]);
  assert.deepEqual(failing({ speed: { wide: 2, plain: 0.9 } }), ["speed"]);
  assert.deepEqual(failing({ time: { wide: 4.1 } }), ["time"]);
  assert.match(verdictText(judge({ ...ratios, time: { wide: 4.1 } }, floors)), /BELOW ITS FLOOR/);
});

test("nothing holds that is not measured, is no number or has no floor", () => {
  assert.deepEqual(failing({ time: undefined }), ["time"]);
  assert.deepEqual(failing({ time: {} }), ["time"]);
  assert.deepEqual(failing({ time: { wide: NaN } }), ["time"]);
  assert.deepEqual(failing({ time: { wide: null } }), ["time"]);
  assert.deepEqual(failing({ other: { wide: 1 } }), ["other"]);
  assert.deepEqual(failing({ speed: { widest: 9 } }), ["speed"]);
});

/** The exit code for a result, of each instruction set that floors name. */
function checked(change) {
  const folder = mkdtempSync(join(tmpdir(), "vernier-floors-"));
  try {
    const all = Object.fromEntries(Object.entries(readFloors()).map(([name, { floor }]) =>
      [name, typeof floor === "number" ? { "x86-64-v4": floor } : { ...floor }]));
    change(all);
    const file = join(folder, "result.json");
    writeFileSync(file, JSON.stringify({ ratios: all }));
    return spawnSync(process.execPath, [fileURLToPath(new URL("ratios.mjs", import.meta.url)), "--check", file]).status;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the check of a file exits 1 if one ratio is below its floor", () => {
  assert.equal(checked(() => {}), 0);
  for (const [name, { sense, floor }] of Object.entries(readFloors())) {
    for (const set of typeof floor === "number" ? ["x86-64-v4"] : Object.keys(floor)) {
      assert.equal(checked((all) => { all[name][set] *= sense === "at most" ? 1.001 : 0.999; }), 1, `${name} ${set}`);
    }
  }
});

test("each floor says what it is of, which way it goes, and where it comes from", () => {
  for (const [name, floor] of Object.entries(readFloors())) {
    assert.ok(["at least", "at most"].includes(floor.sense), name);
    assert.ok(floor.meaning && floor.from, name);
  }
});

test("the table goes between the marks of a document, however often", () => {
  const machine = { processor: "P", cores: 2, load: 0.1 };
  const result = { machine, date: "2026-01-02", commit: "abc", ratios: { time: { "x86-64-v4": 4 } } };
  const table = tableOf(result, floors);
  assert.equal(table.slice(table.indexOf("on P")), `on P with 2 cores:

| ratio | of | AVX-512 |
| --- | --- | --- |
| \`time\` | time of a over b | 4.00 |`);
  const beside = tableOf({ ...result, machine: { ...machine, load: 3 } }, floors);
  assert.match(beside, /cores, beside other work \(a load of 3\.0\):/);
  const empty = "before\n<!-- `make bench` writes from here -->\n<!-- to here -->\nafter\n";
  const once = withTable(empty, table);
  assert.ok(once.startsWith("before\n") && once.endsWith("\nafter\n") && once.includes(table));
  assert.equal(withTable(once, table), once);
  assert.throws(() => withTable("before\nafter\n", table), /marks/);
});
