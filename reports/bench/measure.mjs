// Runs the benchmarks and computes what carries from one machine to another: ratios within one run.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repetitions = 7;

/**
 * The best rate of each benchmark of a program, run interleaved, in values a second: what else runs on the machine, or below
 * it, only ever takes from it.
 */
function ratesOf(program) {
  const text = execFileSync(program, [
    "--benchmark_enable_random_interleaving=true", `--benchmark_repetitions=${repetitions}`,
    "--benchmark_min_time=0.1", "--benchmark_format=json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const best = new Map();
  for (const run of JSON.parse(text).benchmarks.filter((run) => run.run_type === "iteration")) {
    best.set(run.run_name, Math.max(best.get(run.run_name) ?? 0, run.items_per_second));
  }
  return best;
}

function seconds(command, args) {
  const start = process.hrtime.bigint();
  execFileSync(command, args, { stdio: "ignore" });
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/**
 * The whole process `vernier validate` over a NumPy script that compares with float64. They run in turn, and the
 * least time of each counts.
 */
function validateOverNumpy(vernier) {
  const folder = mkdtempSync(join(tmpdir(), "vernier-bench-"));
  try {
    const [spec, cos, sin] = ["spec.json", "cos.npy", "sin.npy"].map((name) => join(folder, name));
    writeFileSync(spec, JSON.stringify({ scheme: "rope", head_dim: 128, rope_theta: 500000 }));
    for (const [role, file] of [["cos", cos], ["sin", sin]]) {
      execFileSync(vernier, ["table", "--spec", spec, "--positions", "0:131072", "--role", role, "-o", file],
        { stdio: "ignore" });
    }
    const script = fileURLToPath(new URL("uncertified.py", import.meta.url));
    const turns = Array.from({ length: repetitions }, () => ({
      numpy: seconds("/usr/bin/python3", [script, cos, sin, "500000"]),
      ours: seconds(vernier, ["validate", "--spec", spec, "--cos", cos, "--sin", sin]),
    }));
    const least = (whose) => Math.min(...turns.map((turn) => turn[whose]));
    return least("ours") / least("numpy");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The ratios of what is made with one instruction set. */
function ratiosOf(rate, set) {
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

/** The machine and what else it does: the programs that run or wait for a core, in the last minute. */
function machine() {
  const cores = cpus();
  return {
    processor: cores[0].model.trim().replace(/\s+/g, " "),
    cores: cores.length,
    load: loadavg()[0],
  };
}

/** The last commit, and whether the sources differ from it. README.md does not count: the table goes there. */
function commit() {
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    const changes = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)README.md");
    return git("rev-parse", "--short=10", "HEAD") + (changes === "" ? "" : " with changes");
  } catch {
    return "no commit known";
  }
}

/** Everything that is measured; `ratios` by name, then by the instruction set, the widest where there is only one. */
export function measure(bin) {
  const before = machine();
  const rate = new Map([...ratesOf(join(bin, "reference_bench")), ...ratesOf(join(bin, "numerics_bench"))]);
  const sets = ["portable", "x86-64-v3", "x86-64-v4"].filter((set) => rate.has(`ladder/B/float32/${set}`));
  const widest = sets.at(-1);
  const ratios = {};
  for (const set of sets) {
    for (const [name, value] of Object.entries(ratiosOf(rate, set))) {
      (ratios[name] ??= {})[set] = value;
    }
  }
  ratios.threads_2_B = {
    [widest]: rate.get("ladder/B/float32/two_threads/real_time") / rate.get(`ladder/B/float32/${widest}`) };
  ratios.validate_vs_numpy_B = { [widest]: validateOverNumpy(join(bin, "vernier")) };
  return { machine: before, date: new Date().toISOString().slice(0, 10), commit: commit(), ratios,
    rates: Object.fromEntries(rate) };
}
