// Judges small cases with the program itself, as a user would, and holds every form of the verdicts to its schema; then breaks
// each document in many ways, and the schema must say so.
//
// Usage: node outputs_check.mjs VERNIER SCHEMAS FOLDER: the program; the folders of the schemas, joined by a colon; a folder in
// which made verdicts lie already (made-*.json ...) and the cases are written.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {problemsOfJunit} from './junit_structure.mjs';
import {errorsOf, readSchema} from './schemas.mjs';
import {conclude} from './web_pages.mjs';

const [vernier, schemas, folder] = process.argv.slice(2);
const problems = [];
const explained = new Set();  // the ids of checks, each of which has to have an explanation
let checked = 0;

const isVerdict = readSchema(schemas, 'verdict.schema.json');
const isWaivers = readSchema(schemas, 'waivers.schema.json');
const isSarif = readSchema(schemas, 'sarif_required.schema.json');

function require(condition, problem) {
  ++checked;
  if (!condition) problems.push(problem);
}

// Every way to break a verdict that a test knows: [what, the broken document].
function* mutants(document) {
  const changed = change => {
    const copy = structuredClone(document);
    change(copy);
    return copy;
  };
  for (const key of Object.keys(document)) {
    if (key !== 'seed') yield [`without ${key}`, changed(copy => delete copy[key])];
  }
  yield ['with a key more', changed(copy => { copy.more = 1; })];
  yield ['of another version', changed(copy => { copy.vernier_verdict = 1; })];
  yield ['with another exit code', changed(copy => { copy.exit_code = copy.exit_code === 0 ? 1 : 0; })];
  yield ['with another verdict', changed(copy => { copy.verdict = copy.verdict === 'conforms' ? 'does_not_conform' : 'conforms'; })];
  for (const [index, check] of document.checks.entries()) {
    const broken = change => changed(copy => change(copy.checks[index]));
    yield [`with a check without reason`, broken(copy => delete copy.reason)];
    yield [`with a status that is none`, broken(copy => { copy.status = 'ok'; })];
    yield [`with a waiver too many or too few`, broken(copy => {
      if (copy.waiver) delete copy.waiver;
      else copy.waiver = {reason: 'r', issue: 'i', expires: '2026-01-01', ceiling: 'c', failure: 'f'};
    })];
    if (check.counts) yield ['with a negative count', broken(copy => { copy.counts.failing = -1; })];
    for (const key of ['first_failing', 'worst']) {
      if (!check[key]) continue;
      yield [`with a ${key} without got`, broken(copy => delete copy[key].got)];
      yield [`with a ${key} of a number for bits`, broken(copy => { copy[key].got.bits = 7; })];
      yield [`with a ${key} of no error`, broken(copy => { copy[key].error.ulp = null; })];
    }
    if (check.statistics) yield ['with statistics without phase_roundings', broken(copy => delete copy.statistics.phase_roundings)];
  }
}

// The same of what was found.
function* diagnosisMutants(document) {
  const broken = (index, change) => {
    const copy = structuredClone(document);
    change(copy.diagnosis[index]);
    return copy;
  };
  for (const [index, finding] of document.diagnosis.entries()) {
    for (const key of Object.keys(finding)) yield [`with a finding without ${key}`, broken(index, copy => delete copy[key])];
    yield ['with a finding with a key more', broken(index, copy => { copy.more = 1; })];
    yield ['with a finding of a stage that is none', broken(index, copy => { copy.stage = 'moon'; })];
    yield ['with a finding with another id', broken(index, copy => { copy.id = 'Frequency'; })];
    yield ['with a finding in no words', broken(index, copy => { copy.sentence = ''; })];
    yield ['with a finding of its opposite', broken(index, copy => {
      copy.id = copy.id === 'unexplained' ? 'frequency/base' : 'unexplained';
    })];
    yield ['with an empty edit', broken(index, copy => { copy.edit = []; })];
    if (finding.edit) {
      yield ['with an edit that is none', broken(index, copy => { copy.edit[0].op = 'think'; })];
      yield ['with an edit without value', broken(index, copy => { copy.edit[0] = {op: 'replace', path: '/base'}; })];
      yield ['with an edit of no path', broken(index, copy => { delete copy.edit[0].path; })];
    }
    if (finding.predicted) yield ['with a prediction without elements', broken(index, copy => { delete copy.predicted.elements; })];
    if (finding.partial) yield ['with a share above all', broken(index, copy => { copy.partial.share = 1.5; })];
  }
  for (const [index, {frequencies}] of document.recovered_frequencies.entries()) {
    for (const key of Object.keys(frequencies[0])) {
      const copy = structuredClone(document);
      delete copy.recovered_frequencies[index].frequencies[0][key];
      yield [`with a frequency without ${key}`, copy];
    }
  }
  if (document.checks.every(({status}) => status !== 'fail' && status !== 'waived')) {
    const frequency = {pair: 0, declared: 1, found: 1, ratio: 1, uncertainty: 0};
    yield ['with frequencies of tensors that conform', {...document, recovered_frequencies: [{roles: 'cos', frequencies: [frequency]}]}];
    yield ['with a finding in tensors that conform', {...document, diagnosis: [aFinding]}];
  }
}

const aFinding = {
  id: 'frequency/base', stage: 'frequency', sentence: 's', roles: 'cos', edit: null, account: null,
  predicted: {elements: 1, conclusive: 1, largest_budget_ratio: 0.5},
  equally: [], partial: null, means: 'm', advice: 'a', similar: [], searched: 1
};

function holdVerdict(name, document) {
  require(isVerdict(document), `${name}.json breaks the schema: ${errorsOf(isVerdict)}`);
  for (const [what, mutant] of [...mutants(document), ...diagnosisMutants(document)]) require(!isVerdict(mutant), `${name}.json ${what} passes the schema`);
}

function holdSarif(name, document) {
  require(isSarif(document), `${name}.sarif breaks the schema: ${errorsOf(isSarif)}`);
  const [run] = document.runs;
  for (const result of run.results) {
    require(run.tool.driver.rules[result.ruleIndex]?.id === result.ruleId, `${name}.sarif: a result of another rule`);
  }
  for (const key of ['message', 'locations', 'partialFingerprints', 'ruleId', 'level']) {
    const mutant = structuredClone(document);
    if (mutant.runs[0].results.length === 0) continue;
    delete mutant.runs[0].results[0][key];
    require(!isSarif(mutant), `${name}.sarif without ${key} passes the schema`);
  }
}

function holdJunit(name, text) {
  const found = problemsOfJunit(text);
  require(found.length === 0, `${name}.junit ${found.join('; ')}`);
  const mutants = {
    'an unescaped <': text.replace('<testcase ', '<testcase name="<" '),
    'a control character': text.replace('<testcase ', '\u0001<testcase '),
    'a case less': text.replace(/<testcase [^]*?<\/testcase>\n/, ''),
    'a case without name': text.replace(/(<testcase [^>]*?) name="[^"]*"/, '$1'),
    'an end too few': text.replace('</testsuite>', ''),
    'an unescaped &': text.replace('classname="', 'classname="&x')
  };
  for (const [what, mutant] of Object.entries(mutants)) {
    require(problemsOfJunit(mutant).length > 0, `${name}.junit with ${what} is found right`);
  }
}

function hold(name) {
  const read = kind => readFileSync(join(folder, `${name}.${kind}`), 'utf8');
  const verdict = JSON.parse(read('json'));
  holdVerdict(name, verdict);
  holdSarif(name, JSON.parse(read('sarif')));
  holdJunit(name, read('junit'));
  return verdict;
}

function run(words) {
  const {status, stdout, stderr} = spawnSync(vernier, words, {cwd: folder, encoding: 'utf8'});
  return {status, stdout, stderr};
}

function write(name, content) {
  writeFileSync(join(folder, name), typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content));
}

// Judges a case of that name in all forms at once.
function judge(name, words, {status, verdict}) {
  const outputs = ['json', 'html', 'junit', 'sarif'].flatMap(kind => [`--${kind}`, `${name}.${kind}`]);
  const ended = run(['validate', ...words, ...outputs]);
  require(ended.status === status, `${name} ended with ${ended.status}, expected ${status}: ${ended.stderr}${ended.stdout}`);
  const document = hold(name);
  require(document.verdict === verdict && document.exit_code === status, `${name}.json says ${document.verdict}, expected ${verdict}`);
  for (const {id} of document.checks) explained.add(id);
  return document;
}

function table(name, spec, positions) {
  write(`${name}.spec.json`, spec);
  const made = run(['table', '--spec', `${name}.spec.json`, '--role', 'cos', `--positions=${positions}`, '-o', `${name}.npy`]);
  require(made.status === 0, `table ${name}: ${made.stderr}`);
  write(`${name}.case.json`, {name, spec: JSON.parse(readFileSync(join(folder, `${name}.spec.json`))), tensors: {cos: `${name}.npy`}});
}

mkdirSync(folder, {recursive: true});
for (const file of readdirSync(folder).filter(file => /^made-\d+\.json$/.test(file))) hold(file.replace('.json', ''));
require(checked > 0, `${folder} holds no made verdicts`);
const made = JSON.parse(readFileSync(join(folder, 'made-0.json'), 'utf8'));
require(isVerdict({...made, diagnosis: [aFinding]}), `a finding breaks the schema: ${errorsOf(isVerdict)}`);

const rope = {scheme: 'rope', head_dim: 8};
table('conforming', rope, '0:64');
judge('conforming', ['conforming.case.json'], {status: 0, verdict: 'conforms'});

// The sign of the cosine of position 9, pair 1: bytes 4 (9 * 4 + 1) and on of the data.
table('failing', rope, '0:64');
const bytes = readFileSync(join(folder, 'failing.npy'));
bytes[bytes.length - 64 * 16 + 4 * (9 * 4 + 1) + 3] ^= 0x80;
write('failing.npy', bytes);
const failing = judge('failing', ['failing.case.json'], {status: 1, verdict: 'does_not_conform'});
const accuracy = failing.checks.find(({id}) => id === 'accuracy/cos');
require(failing.diagnosis.length > 0, 'failing.json has no diagnosis');
require(JSON.stringify(accuracy.failing_extent) === '{"positions":[9,9],"columns":[1,1],"pairs":[1,1]}', 'failing.json names another place');

// A float32 phase is off by more than a quarter there, so that its budget proves nothing.
table('inconclusive', rope, '16777216:16777280');
write('inconclusive.positions.json', '');
const farther = JSON.parse(readFileSync(join(folder, 'inconclusive.spec.json')));
write('inconclusive.case.json', {name: 'inconclusive', spec: farther, tensors: {cos: 'inconclusive.npy', positions: 'positions.npy'}});
const header = `{'descr': '<i8', 'fortran_order': False, 'shape': (64,), }`.padEnd(117) + '\n';
const positions = Buffer.alloc(10 + header.length + 64 * 8);
positions.write('\x93NUMPY\x01\x00', 'latin1');
positions.writeUInt16LE(header.length, 8);
positions.write(header, 10, 'latin1');
for (let i = 0; i < 64; ++i) positions.writeBigInt64LE(16777216n + BigInt(i), 10 + header.length + 8 * i);
write('positions.npy', positions);
judge('inconclusive', ['inconclusive.case.json'], {status: 4, verdict: 'inconclusive'});

// Waivers.
const waiver = {check: 'accuracy/cos', where: {positions: [0, 63], pairs: [1, 1]}, ceiling: {failing: 0.01}, reason: 'the sign', issue: 'KERNEL-7', expires: '2026-06-30'};
const judgeWaived = (name, waivers, date, expected) => {
  write(`${name}.waivers.json`, waivers);
  require(isWaivers(waivers), `${name}.waivers.json breaks the schema`);
  return judge(name, ['failing.case.json', '--waivers', `${name}.waivers.json`, '--date', date], expected);
};
const waived = judgeWaived('waived', [waiver], '2026-06-30', {status: 0, verdict: 'conforms'});
require(waived.checks.find(({id}) => id === 'accuracy/cos').status === 'waived', 'waived.json waives nothing');
judgeWaived('expired', [waiver], '2026-07-01', {status: 5, verdict: 'does_not_conform'});
judgeWaived('unneeded', [waiver, {...waiver, check: 'finite/cos'}], '2026-06-30', {status: 5, verdict: 'conforms'});
judgeWaived('unknown', [waiver, {...waiver, check: 'accuracy/tan'}], '2026-06-30', {status: 5, verdict: 'conforms'});
judgeWaived('too-bad', [{...waiver, ceiling: {budget_ratio: 2}}], '2026-06-30', {status: 1, verdict: 'does_not_conform'});
judgeWaived('elsewhere', [{...waiver, where: {positions: [10, 63]}}], '2026-06-30', {status: 1, verdict: 'does_not_conform'});

// What the schema of waivers refuses the program refuses, with exit code 2 and nothing written.
const bad = {
  'no-reason': {...waiver, reason: undefined},
  'blank-issue': {...waiver, issue: ' '},
  'no-ceiling': {...waiver, ceiling: undefined},
  'low-ceiling': {...waiver, ceiling: {budget_ratio: 1}},
  'two-ceilings': {...waiver, ceiling: {budget_ratio: 2, any: true}},
  'bad-date': {...waiver, expires: 'soon'},
  'nowhere': {...waiver, where: {}},
  'more': {...waiver, until: '2026-06-30'}
};
for (const [name, one] of Object.entries(bad)) {
  const waivers = JSON.parse(JSON.stringify([one]));
  write(`${name}.waivers.json`, waivers);
  require(!isWaivers(waivers), `${name}.waivers.json passes the schema`);
  const ended = run(['validate', 'failing.case.json', '--waivers', `${name}.waivers.json`, '--json', `${name}.json`]);
  require(ended.status === 2 && /^vernier: .*waivers\.json: .*\n$/.test(ended.stderr), `${name}: ${ended.status} ${ended.stderr}`);
  require(!existsSync(join(folder, `${name}.json`)), `${name}.json was written`);
}

for (const id of explained) require(run(['explain', id]).status === 0, `${id} has no explanation`);

conclude(problems, `${checked} properties of outputs`);
