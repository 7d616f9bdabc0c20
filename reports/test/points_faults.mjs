// Shows that points_check.mjs can fail: runs it with one fault after another planted in the scripts that compute points, or in the
// page that carries the seeds. Each has to be seen.
// Usage: node points_faults.mjs PAGE VERNIER FOLDER
import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {conclude} from './web_pages.mjs';

const [page, vernier, folder] = process.argv.slice(2);
if (!folder) throw new Error(`Usage: node ${process.argv[1]} PAGE VERNIER FOLDER`);
const here = dirname(fileURLToPath(import.meta.url));

const faults = [
  {what: 'seeds that differ in their 26th place', file: 'try.html', from: /(?<="frequencies":"\d*)\d{47}/g,
    to: seed => seed.slice(0, 26) + (Number(seed[26]) + 1) % 10 + seed.slice(27)},
  {what: 'rounding that cuts off', file: 'exact.mjs', from: 'rest > half ||', to: 'false &&'},
  {what: 'a circle that is 2^-64 too large', file: 'exact.mjs', from: '8n * arctangentOfInverse(5n)', to: '(1n << bits) + 8n * arctangentOfInverse(5n)'},
  {what: 'phases that are not rounded', file: 'points.mjs', from: 'const round = x => roundTo(recipe.compute, x)', to: 'const round = x => x'},
  {what: 'positions that are not rounded', file: 'points.mjs', from: 'roundTo(recipe.positions, position)', to: 'position'},
  {what: 'an amplitude left out', file: 'points.mjs', from: 'if (exact === \'\') return turned;', to: 'return turned;'}
];

mkdirSync(folder, {recursive: true});
const problems = [];
for (const {what, file, from, to} of faults) {
  for (const name of ['exact.mjs', 'points.mjs', 'try.html']) {
    const text = readFileSync(name === 'try.html' ? page : join(here, name), 'utf8');
    const broken = name === file ? text.replace(from, to) : text;
    if (name === file && broken === text) problems.push(`${what}: ${file} has no such place`);
    writeFileSync(join(folder, name), broken);
  }
  const {status} = spawnSync(process.execPath,
    [join(here, 'points_check.mjs'), join(folder, 'try.html'), vernier, '--points', '60', '--modules', folder], {encoding: 'utf8'});
  if (status !== 1) problems.push(`${what}: not seen, exit status ${status}`);
}
conclude(problems, `${faults.length} faults`);
