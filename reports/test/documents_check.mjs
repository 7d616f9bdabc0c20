// Lets the program write the documents of `compare`, its history, `value`, `hardest`, `certify`, `readers`, `arithmetic`, `sweep --state`,
// `atlas` and `vectors`, holds them to their schemas, and breaks each in many ways: the schema must say so.
//
// Usage: node documents_check.mjs VERNIER SCHEMAS FOLDER: the program; the folders of the schemas, joined by a colon; a folder in
// which made verdicts lie already (made-*.json).
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {errorsOf, readSchema} from './schemas.mjs';
import {conclude} from './web_pages.mjs';

const [vernier, schemas, folder] = process.argv.slice(2);
const problems = [];
let checked = 0;

function require(condition, problem) {
  ++checked;
  if (!condition) problems.push(problem);
}

function run(words, statuses = [0]) {
  const {status, stdout, stderr} = spawnSync(vernier, words, {cwd: folder, encoding: 'utf8'});
  require(statuses.includes(status), `vernier ${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

// Keys that a document may leave out; a spec is another schema's, a histogram has the bins that are not empty, a group of
// vectors the flags that a row of it has, an arithmetic the stages that its tensors have,
// and others what no option asked for.
const optional = new Set(['trend', 'implementation', 'budget_ratio', 'integer', 'computed', 'budgets', 'kind', 'first', 'component', 'stored', 'x0', 'x1', 'contract',
  'explained', 'moves']);
const isLeft = path => path.includes('spec') || path.includes('edit') || path.includes('histogram') || path.includes('groups') && path.includes('flags') ||
  path.includes('arithmetics') && path.includes('stages');

function* objectsIn(value, path = []) {
  if (value === null || typeof value !== 'object' || isLeft(path)) return;
  if (!Array.isArray(value)) yield path;
  const keys = Object.keys(value);
  const ends = 8;  // of a long list, whose elements are alike
  for (const key of Array.isArray(value) ? [...keys.slice(0, ends), ...keys.slice(ends).slice(-ends)] : keys) {
    yield* objectsIn(value[key], [...path, key]);
  }
}

// Every way to break a document, each undone before the next: what is broken, while the document is.
function* breaks(document) {
  for (const path of objectsIn(document)) {
    const where = path.join('.') || 'the document';
    const at = path.reduce((object, key) => object[key], document);
    at.more = 1;
    yield `with a key more in ${where}`;
    delete at.more;
    for (const [key, value] of Object.entries(at)) {
      delete at[key];
      if (!optional.has(key)) yield `without ${key} in ${where}`;
      at[key] = {};
      if (key !== 'histogram') yield `with an empty object for ${key} in ${where}`;
      at[key] = 'ok';
      if (['change', 'status', 'verdict', 'format'].includes(key)) yield `with a ${key} that is none in ${where}`;
      at[key] = value;
    }
  }
  const version = Object.keys(document)[0];
  const number = document[version];
  document[version] = 99;
  yield 'of another version';
  document[version] = number;
}

function hold(name, schema, document) {
  const obeys = readSchema(schemas, schema);
  require(obeys(document), `${name} breaks ${schema}: ${errorsOf(obeys)}`);
  for (const what of breaks(document)) require(!obeys(document), `${name} ${what} passes ${schema}`);
}

const history = 'documents.jsonl';
rmSync(join(folder, history), {force: true});
const compare = (...words) => JSON.parse(run(['compare', ...words, '--json', '-'], [0, 1]));
hold('two verdicts', 'comparison.schema.json', compare('made-4.json', 'made-0.json', '--history', history));
hold('three verdicts', 'comparison.schema.json', compare('made-0.json', 'made-4.json', 'made-6.json', '--history', history, '--label', 'a date'));
function holdHistory(file, count) {
  const runs = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  require(runs.length === count, `${file} has ${runs.length} runs, expected ${count}`);
  for (const [index, line] of runs.entries()) hold(`${file}, run ${index + 1}`, 'history.schema.json', JSON.parse(line));
}
holdHistory(history, 2);
holdHistory('made-report.jsonl', 3);  // as `vernier report` appends

// One element of each kind: tables with and without a recipe, an exact zero, buckets, biases, a column.
const value = (...words) => hold(`value ${words.join(' ')}`, 'value.schema.json', JSON.parse(run(['value', ...words, '--json', '-'])));
value('--model', 'llama-2-7b-hf', '--position', '4095', '--pair', '3', '--recipe', 'float32-pow', '--dtype', 'bfloat16');
value('--model', 'llama-2-7b-hf', '--position', '0', '--pair', '0', '--digits', '0');
value('--model', 'byt5-small', '--layer', 'encoder', '--position=-20');
value('--model', 'bloom-560m', '--position', '7', '--head', '1');

hold('the hardest elements', 'hardest.schema.json', JSON.parse(run(['hardest', '--model', 'llama-2-7b-hf', '--last', '64', '--dtype', 'bf16', '--json', '-'])));

// Certificates: of a table that keeps its contract, and by one whose budgets prove little.
writeFileSync(join(folder, 'certified-spec.json'), '{"scheme": "rope", "head_dim": 8}');
writeFileSync(join(folder, 'certified.json'), '{"name": "certified", "spec": {"scheme": "rope", "head_dim": 8}, "tensors": {"cos": "certified.npy"}}');
run(['table', '--spec', 'certified-spec.json', '--positions', '0:64', '--dtype', 'float16', '-q', '-o', 'certified.npy']);
const certificate = (...words) => JSON.parse(run(['certify', 'certified.json', '-o', '-', ...words], [0, 4]));
hold('a certificate', 'certificate.schema.json', certificate());
hold('a certificate by bfloat16', 'certificate.schema.json', certificate('--contract', 'bfloat16'));

// What readers make of a configuration of transformers 5, and of it beside another.
const readers = (...files) => JSON.parse(run(['readers', ...files, '--json', '-'], [0, 1]));
writeFileSync(join(folder, 'migrated.json'), '{"model_type": "llama", "head_dim": 64, "rope_parameters": {"rope_type": "default", "rope_theta": 500000}}');
writeFileSync(join(folder, 'plain.json'), '{"model_type": "llama", "head_dim": 64, "rope_theta": 10000}');
hold('readers of one configuration', 'readers.schema.json', readers('migrated.json'));
hold('readers of two configurations', 'readers.schema.json', readers('migrated.json', 'plain.json'));

// Which arithmetic made a table, and where it parts from that of another.
writeFileSync(join(folder, 'other.json'), '{"name": "other", "spec": {"scheme": "rope", "head_dim": 8, "rope_theta": 500000}, "tensors": {"cos": "certified.npy"}}');
const arithmetic = (...files) => JSON.parse(run(['arithmetic', ...files, '--json', '-'], [0, 1, 4]));
hold('the arithmetic of a table', 'arithmetic.schema.json', arithmetic('certified.json'));
hold('the arithmetic of what is no such table', 'arithmetic.schema.json', arithmetic('other.json'));
hold('an arithmetic held to a contract', 'arithmetic.schema.json', arithmetic('certified.json', '--contract', 'arithmetic:phase=bfloat16'));
hold('two arithmetics', 'arithmetic.schema.json', arithmetic('certified.json', 'other.json'));

// What errors cost: those of a recipe, with a measured KL and moved keys, and all that a contract allows.
const cost = (...words) => JSON.parse(run(['cost', ...words, '--json', '-']));
hold('the cost of a recipe', 'cost.schema.json', cost('--model', 'llama-3.1-8b', '--recipe', 'bfloat16-frequency', '--context', '512', '--kl', '0.1', '--moves', '64'));
hold('the cost of a contract', 'cost.schema.json', cost('--spec', 'certified-spec.json', '--dtype', 'bfloat16', '--norms', '4,8'));

// What a sweep leaves in its folder, of a recipe that breaks its contract, as JSON and with its digest.
const swept = 'documents-swept';
rmSync(join(folder, swept), {recursive: true, force: true});
run(['sweep', '--model', 'llama-2-7b-hf', '--recipe', 'float32-pow', '--contract', 'faithful', '--positions', '0:64', '--state', swept, '-q']);
hold('the sweep', 'sweep.schema.json', JSON.parse(readFileSync(join(folder, swept, 'sweep.json'), 'utf8')));
const shard = readFileSync(join(folder, swept, 'shard-1-of-1.json'), 'utf8');
hold('the shard', 'shard.schema.json', JSON.parse(shard));
const digest = createHash('sha256').update(shard.slice(shard.indexOf('"content":') + '"content":'.length, -2)).digest('hex');
require(JSON.parse(shard).sha256 === digest, `the shard does not have the digest ${digest}`);

// Several sweeps in one folder.
const several = 'documents-several';
rmSync(join(folder, several), {recursive: true, force: true});
run(['sweep', '--models', 'llama-2-7b-hf,gpt-j-6b', '--recipes', 'float32-pow', '--positions', '0:64', '--state', several, '-q']);
hold('the list of sweeps', 'sweeps.schema.json', JSON.parse(readFileSync(join(folder, several, 'sweeps.json'), 'utf8')));

// An atlas of one rotation, and what the program's own says first.
writeFileSync(join(folder, 'atlas-spec.json'), '{"scheme": "rope", "head_dim": 64}');
run(['atlas', '--spec', 'atlas-spec.json', '-o', 'documents-atlas.json', '-q']);
const atlas = JSON.parse(readFileSync(join(folder, 'documents-atlas.json'), 'utf8'));
const kinds = atlas.rotations[0].recipes;
atlas.rotations[0].recipes = [kinds[0], kinds[kinds.length - 1]];
hold('an atlas', 'atlas.schema.json', atlas);

// Test vectors, and of their groups a table, buckets and biases.
const vectors = 'documents-vectors';
run(['vectors', '-o', vectors]);
const document = JSON.parse(readFileSync(join(folder, vectors, 'vectors.json'), 'utf8'));
const obeysVectors = readSchema(schemas, 'vectors.schema.json');
require(obeysVectors(document), `the vectors break their schema: ${errorsOf(obeysVectors)}`);
hold('a few of the vectors', 'vectors.schema.json', {...document, groups: document.groups.filter(({id}) => ['sinusoidal', 't5', 'alibi'].includes(id))});
const bytes = readFileSync(join(folder, vectors, document.data.file));
require(createHash('sha256').update(bytes).digest('hex') === document.data.sha256, 'the vectors do not have their digest');

conclude(problems, `${checked} properties of documents`);
