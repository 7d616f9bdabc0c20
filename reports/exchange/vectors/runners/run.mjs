// Judges a float32 rotary embedding by Vernier's test vectors. Needs Node.js alone.
// Usage: node run.mjs FOLDER, that of vectors.json. Exit code: 0 if every budget is kept, 1 if not.
// Put your own code in place of `table`. Of a little-endian machine.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const key = 'float32@float32';
const float = Math.fround;

// A row of cosines and sines, by the textbook: every result is rounded to float32.
function table(spec, position) {
  const width = spec.head_dim * spec.partial_rotary_factor;
  const frequencies = Array.from({length: width / 2}, (_, i) => float(1 / float(spec.rope_theta ** float(2 * i / width))));
  const phases = frequencies.map(frequency => float(position * frequency));
  return {cos: phases.map(phase => float(Math.cos(phase))), sin: phases.map(phase => float(Math.sin(phase)))};
}

const folder = process.argv[2] ?? '.';
const vectors = JSON.parse(readFileSync(join(folder, 'vectors.json'), 'utf8'));
const data = readFileSync(join(folder, vectors.data.file));
const start = 8 + Number(data.readBigUInt64LE(0));
const entries = JSON.parse(data.toString('utf8', 8, start));

function tensor(name) {
  const {dtype, data_offsets: [begin, end]} = entries[name];
  const bytes = Uint8Array.prototype.slice.call(data, start + begin, start + end).buffer;
  switch (dtype) {
    case 'F64': return new Float64Array(bytes);
    case 'I64': return new BigInt64Array(bytes);
    case 'BF16': return new Float32Array(Uint32Array.from(new Uint16Array(bytes), bits => bits << 16).buffer);
    default: throw new Error(`${name} is of ${dtype}, which is not read here`);
  }
}

let [failures, judged, worst] = [0, 0, {share: -1}];
function judge(name, got, truth, budget) {
  for (const [i, value] of got.entries()) {
    const error = Math.abs(value - truth[i]);
    const share = error === 0 ? 0 : error >= 0 ? error / budget[i] : Infinity;
    ++judged;
    if (share > 1) ++failures;
    if (share > worst.share) worst = {share, name: `${name}[${i}]`};
  }
}

for (const {id, spec, context, sums} of vectors.groups) {
  if (spec.scheme !== 'rope' || spec.rope_scaling) continue;
  const rows = Array.from(tensor(`${id}/positions`), position => table(spec, Number(position)));
  const whole = Array.from({length: context.rows}, (_, t) => table(spec, context.first + context.step * t));
  for (const role of ['cos', 'sin']) {
    const name = `${id}/${role}`;
    judge(name, rows.flatMap(row => row[role]), tensor(`${name}/float64`), tensor(`${name}/budget/${key}`));
    const width = whole[0][role].length;
    const got = new Float64Array(Math.ceil(whole.length / vectors.rows_per_sum) * width);
    whole.forEach((row, t) => row[role].forEach((value, i) => { got[Math.floor(t / vectors.rows_per_sum) * width + i] += value; }));
    judge(`${name}/sum`, got, tensor(`${name}/sum`), tensor(`${name}/sum/budget/${key}`));
  }
}
console.log(`${failures} of ${judged} elements and sums are beyond their budgets of ${key}\nworst: ${worst.share} budgets, ${worst.name}`);
process.exit(failures > 0 || judged === 0 ? 1 : 0);
