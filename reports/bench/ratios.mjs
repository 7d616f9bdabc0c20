// Runs the benchmarks interleaved and prints what carries from one machine to another: ratios within one run, of
// medians. Usage: node ratios.mjs BIN_FOLDER OUTPUT.json

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const [bin, output] = process.argv.slice(2);
const repetitions = 7;

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The median rate of each benchmark of a program, in values a second. */
function rates(program) {
  const text = execFileSync(join(bin, program), [
    "--benchmark_enable_random_interleaving=true", `--benchmark_repetitions=${repetitions}`,
    "--benchmark_min_time=0.1", "--benchmark_format=json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const aggregates = JSON.parse(text).benchmarks.filter((run) => run.aggregate_name === "median");
  return new Map(aggregates.map((run) => [run.run_name, run.items_per_second]));
}

function seconds(command, args) {
  const start = process.hrtime.bigint();
  execFileSync(command, args, { stdio: "ignore" });
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/** The whole process `vernier validate` over a NumPy script that compares with float64. */
function validateOverNumpy() {
  const folder = mkdtempSync(join(tmpdir(), "vernier-bench-"));
  try {
    const vernier = join(bin, "vernier");
    const [spec, cos, sin] = ["spec.json", "cos.npy", "sin.npy"].map((name) => join(folder, name));
    writeFileSync(spec, JSON.stringify({ scheme: "rope", head_dim: 128, rope_theta: 500000 }));
    for (const [role, file] of [["cos", cos], ["sin", sin]]) {
      execFileSync(vernier, ["table", "--spec", spec, "--positions", "0:131072", "--role", role, "-o", file],
        { stdio: "ignore" });
    }
    const script = join(dirname(fileURLToPath(import.meta.url)), "uncertified.py");
    const ours = [];
    const numpys = [];
    for (let i = 0; i < 3; ++i) {
      numpys.push(seconds("/usr/bin/python3", [script, cos, sin, "500000"]));
      ours.push(seconds(vernier, ["validate", "--spec", spec, "--cos", cos, "--sin", sin]));
    }
    return median(ours) / median(numpys);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const rate = new Map([...rates("reference_bench"), ...rates("numerics_bench")]);
const sets = ["portable", "x86-64-v3", "x86-64-v4"].filter((set) => rate.has(`ladder/B/float32/${set}`));

/** The ratios of tables made with one instruction set. */
function ratiosOf(set) {
  const ladder = (format) => rate.get(`ladder/B/${format}/${set}`);
  return {
    f32_vs_mpfr50_B: ladder("float32") / rate.get("mpfr_50/B"),
    f32_vs_libm_B: ladder("float32") / rate.get("libm/B"),
    f32_time_vs_memset_B: rate.get("memory/B") / ladder("float32"),
    f64_vs_libm_B: ladder("float64") / rate.get("libm/B"),
    bf16_vs_libm_B: ladder("bfloat16") / rate.get("libm/B"),
    f16_vs_libm_B: ladder("float16") / rate.get("libm/B"),
    audit_f32_vs_table_B: rate.get(`audit/${set}`) / rate.get(`table/${set}`),
    end_to_end_A: rate.get(`end_to_end/A/${set}`) / rate.get("libm/A"),
    end_to_end_B: rate.get(`end_to_end/B/${set}`) / rate.get("libm/B"),
  };
}

const bySet = Object.fromEntries(sets.map((set) => [set, ratiosOf(set)]));
const widest = sets.at(-1);
const ratios = {
  ...bySet[widest],
  threads_2_B: rate.get("ladder/B/float32/two_threads/real_time") / rate.get(`ladder/B/float32/${widest}`),
  validate_vs_numpy_B: validateOverNumpy(),
};

console.log(["".padEnd(22), ...sets.map((set) => set.padStart(12))].join(""));
for (const name of Object.keys(ratios)) {
  const cells = sets.map((set) => bySet[set][name] ?? (set === widest ? ratios[name] : undefined));
  console.log([name.padEnd(22), ...cells.map((cell) => (cell?.toFixed(2) ?? "").padStart(12))].join(""));
}
writeFileSync(output, JSON.stringify({ ratios, by_instruction_set: bySet, rates: Object.fromEntries(rate) }, null, 1) + "\n");
console.log(output);
