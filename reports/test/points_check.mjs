// Tries points as the report's page does, in this process, and asks the command for the same ones: truth, nearest numbers, what the
// recipe gives, its error. The bits are equal, or the check fails. Points are drawn, the same ones for one seed.
// Usage: node points_check.mjs PAGE VERNIER [--points N] [--seed S] [--modules FOLDER]
//   --modules: of the scripts under test; by default beside this one
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs, promisify} from 'node:util';
import {conclude} from './web_pages.mjs';

const {values: options, positionals: [page, vernier]} = parseArgs({
  allowPositionals: true,
  options: {points: {type: 'string', default: '1000'}, seed: {type: 'string', default: '20'}, modules: {type: 'string', default: dirname(fileURLToPath(import.meta.url))}}
});
if (!vernier) throw new Error(`Usage: node ${process.argv[1]} PAGE VERNIER [--points N] [--seed S] [--modules FOLDER]`);
const load = name => import(pathToFileURL(join(resolve(options.modules), name)).href);
const {bitsText, formatNames, nearest} = await load('exact.mjs');
const {greatestPosition, Points} = await load('points.mjs');

const text = readFileSync(page, 'utf8');
const points = new Points(JSON.parse(/<script type="application\/json" id="point-seeds">([^]*?)<\/script>/.exec(text)[1]));

// xorshift64*: the same numbers on every machine.
let state = BigInt.asUintN(64, BigInt(options.seed) * 0x9e3779b97f4a7c15n + 1n);
function below(count) {
  state ^= state >> 12n;
  state = BigInt.asUintN(64, state ^ state << 25n);
  state ^= state >> 27n;
  return Number(BigInt.asUintN(64, state * 0x2545f4914f6cdd1dn) >> 11n) % count;
}
const one = list => list[below(list.length)];

// Half of the positions are small, the others of any size and now and then negative or at an end.
function position(length) {
  const most = Math.min(length === null ? greatestPosition : length - 1, greatestPosition);
  const size = Math.min(Math.floor(2 ** (below(32 * 1024) / 1024)) - 1 + below(2), most);
  return one([size, size, size, size, 0 - size, below(4), most]);
}

function drawn() {
  const model = one(points.models);
  const recipe = one(points.data.recipes);
  return {model, recipe, stored: one(recipe.stored), position: position(model.rotation.length), pair: below(points.pairsOf(model.rotation))};
}

const run = promisify(execFile);
const quoted = word => `'${word.replaceAll("'", "'\\''")}'`;

function commandOf({model, recipe, stored, position: at, pair}) {
  const words = [vernier, 'value', ...model.choice.split(' '), `--position=${at}`, '--pair', `${pair}`, '--recipe', recipe.id,
    '--dtype', stored, '--json', '-'];
  return words.map(quoted).join(' ');
}

// The elements of each point. A shell starts the commands, for a fraction of what it takes this process to start each.
async function told(some) {
  const {stdout} = await run('sh', ['-ec', some.map(point => `${commandOf(point)}; printf '\\036'`).join('\n')], {maxBuffer: 2 ** 26});
  return stdout.split('\x1e').slice(0, -1).map(text => JSON.parse(text).elements);
}

const near = (a, b) => a === b || Math.abs(a - b) <= 1e-9 * Math.abs(b);

function differences(point, elements) {
  const truths = points.truth(point.model.rotation, point.position, point.pair);
  return points.point(point.model, point.recipe, point.stored, point.position, point.pair, truths).flatMap(mine => {
    const theirs = elements.find(({role}) => role === {cosine: 'cos', sine: 'sin'}[mine.component]);
    const {computed} = theirs;
    const correct = computed.correctly_rounded_trigonometry.bits;
    const compared = [['truth', mine.truth, theirs.truth], ['recipe', bitsText(point.stored, mine.got), correct]];
    for (const format of formatNames) {
      const found = nearest(format, truths[mine.component]);
      compared.push([`nearest ${format}`, bitsText(format, found), theirs.nearest.find(other => other.format === format).nearest.bits]);
    }
    const wrong = compared.filter(([, a, b]) => a !== b);
    if (computed.got.bits === correct && Number.isFinite(mine.got)) {
      for (const [name, a, b] of [['error', mine.error, computed.error.absolute], ['ulp', mine.ulps, computed.error.ulp]]) {
        if (!near(a, b)) wrong.push([name, a, b]);
      }
    }
    return wrong.map(([name, a, b]) => `${mine.component}: ${name} ${a}, the command ${b}`);
  });
}

const problems = [];
const count = Number(options.points);
let others = 0;
const atOnce = 50;
const waiting = Array.from({length: count}, drawn);

function judge(point, elements) {
  const {model, recipe, stored, position: at, pair} = point;
  others += elements.filter(({computed: {got, correctly_rounded_trigonometry: correct}}) => correct.decimal !== 'nan' && got.bits !== correct.bits).length;
  problems.push(...differences(point, elements).map(
    difference => `${model.choice} --position ${at} --pair ${pair} --recipe ${recipe.id} --dtype ${stored}: ${difference}`));
}

async function work() {
  while (waiting.length > 0) {
    const some = waiting.splice(-atOnce);
    const answers = await told(some);
    some.forEach((point, index) => judge(point, answers[index]));
  }
}
await Promise.all([work(), work()]);
conclude(problems.sort(), `${count} points of seed ${options.seed}, ${others} elements that the C library rounds otherwise`);
