// Holds what `vernier` writes - tables, vectors, atlas, certificates, refusals - to the SHA-256 sums of a manifest, so that a change
// of structure is seen to change no byte.
// Usage: node manifest.mjs write VERNIER MANIFEST            makes MANIFEST of what this program writes
//        node manifest.mjs compare VERNIER MANIFEST [EVERY]  fails where VERNIER writes other bytes; of every EVERY-th entry
//        node manifest.mjs difference VERNIER VERNIER        shows what two programs write or print otherwise
import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const {specs, models, atlases} = JSON.parse(readFileSync(join(here, 'manifest_specs.json'), 'utf8'));
const dtypes = ['float64', 'float32', 'float16', 'bfloat16', 'float8_e4m3fn', 'float8_e5m2', 'float8_e4m3fnuz', 'float8_e5m2fnuz',
  'int32', 'int64'];
// What may stand in place of a value: other types, ends of ranges, numbers that no key takes.
const replacements = [null, true, 'nonsense', '1/3', -1, 0, 1, 2, 3, 1.5, 1e40, [], [1], {}];

// The spec with each key replaced, left out and misspelt, also those of objects within it.
function corrupted(spec) {
  const found = [];
  const visit = (node, path) => {
    for (const key of Object.keys(node)) {
      const changed = change => {
        const copy = structuredClone(spec);
        change(path.reduce((at, step) => at[step], copy));
        found.push(copy);
      };
      for (const value of replacements) changed(at => { at[key] = value; });
      changed(at => { delete at[key]; });
      if (!Array.isArray(node)) changed(at => { at[`${key}s`] = at[key]; });
      const child = node[key];
      if (child !== null && typeof child === 'object' && (!Array.isArray(child) || typeof child[0] === 'object')) visit(child, [...path, key]);
    }
  };
  visit(spec, []);
  return found;
}

// {code, printed} of a run in a folder.
const run = (program, words, cwd) => new Promise(done => execFile(program, words, {cwd, maxBuffer: 2 ** 28},
  (error, stdout, stderr) => done({code: error?.code ?? 0, printed: stdout + stderr})));

// Runs `work` on all items, as many at once as there are processors, each with a folder of its own.
async function each(items, work) {
  const results = new Array(items.length);
  let next = 0;
  await Promise.all(Array.from({length: availableParallelism()}, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vernier-manifest-'));
    try {
      while (next < items.length) {
        const index = next++;
        results[index] = await work(items[index], folder);
      }
    } finally {
      rmSync(folder, {recursive: true});
    }
  }));
  return results;
}

// Of documents all but the commit of the program that made them.
function sum(folder, names) {
  const hash = createHash('sha256');
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    hash.update(name).update(name.endsWith('.json') ? bytes.toString().replace(/commit [0-9a-f]+/, 'commit') : bytes);
  }
  return hash.digest('hex');
}

// What a command makes: the sum of its files where it ends well, else what it prints. \param files names, or the folder that it fills
async function made(program, words, folder, output) {
  rmSync(join(folder, output), {recursive: true, force: true});
  const {code, printed} = await run(program, words, folder);
  if (code !== 0) return `${code}: ${printed}`;
  const names = output.includes('.') ? [output] : readdirSync(join(folder, output), {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile()).map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1)).sort();
  return sum(folder, names);
}

// The tables of the spec: what a refusal of another one offers.
const roles_of = async (program, folder) => {
  const {printed} = await run(program, ['table', '--spec', 'spec.json', '--positions', '0:1', '--role', '?', '-o', 'out.npy'], folder);
  return [...printed.matchAll(/([a-z_]+) of (\d+) columns/g)].map(([, role, columns]) => ({role, columns}));
};

// Each group has a name and the work that makes its sum; refusals of one spec are one group.
function groups() {
  const all = [];
  specs.forEach((spec, number) => {
    const write = (folder, what) => writeFileSync(join(folder, 'spec.json'), JSON.stringify(what));
    all.push([`tables of spec ${number}`, async (program, folder) => {
      write(folder, spec);
      const found = {};
      for (const {role, columns} of await roles_of(program, folder)) {
        for (const dtype of dtypes) {
          for (const positions of ['-20:20', '0:24', '0:4']) {
            const words = ['table', '--spec', 'spec.json', '--positions', positions, '--role', role, '--columns', columns, '--dtype', dtype, '-q',
              '-o', 'out.npy'];
            found[`${role} of ${columns} ${dtype} ${positions}`] = await made(program, words, folder, 'out.npy');
          }
        }
      }
      return found;
    }]);
    all.push([`certificate of spec ${number}`, async (program, folder) => {
      write(folder, spec);
      const tensors = {};
      for (const {role} of (await roles_of(program, folder)).filter(({role}) => ['encoding', 'cos', 'sin'].includes(role))) {
        tensors[role] = `${role}.npy`;
        await made(program, ['table', '--spec', 'spec.json', '--positions', '0:24', '--role', role, '-q', '-o', tensors[role]], folder, tensors[role]);
      }
      writeFileSync(join(folder, 'case.json'), JSON.stringify({name: 'case', spec, tensors}));
      return {certificate: await made(program, ['certify', 'case.json', '-o', 'out.json'], folder, 'out.json')};
    }]);
    all.push([`refusals of spec ${number}`, async (program, folder) => {
      const found = {};
      for (const wrong of corrupted(spec)) {
        write(folder, wrong);
        const {code, printed} = await run(program, ['value', '--spec', 'spec.json', '--position', '3', '--pair', '0', '--head', '0', '--column', '0'], folder);
        // What is near to a misspelt key is a hint behind the sentence, and a new scheme lengthens a list.
        const sentence = printed.replace(/; did you mean "[^"]*"\?/, '').replace(/expected one of "sinusoidal".*/, 'expected a scheme');
        if (code !== 0 && printed.startsWith('vernier: spec.json')) found[JSON.stringify(wrong)] = sentence;
      }
      return found;
    }]);
  });
  for (const model of models) {
    all.push([`tables of ${model}`, async (program, folder) => {
      const found = {};
      for (const dtype of ['float64', 'float32', 'bfloat16', 'float8_e4m3fn', 'int64']) {
        const words = ['table', '--model', model, '--positions', '0:2^17:4099', '--dtype', dtype, '-q', '-o', 'out.npy'];
        found[dtype] = await made(program, words, folder, 'out.npy');
      }
      return found;
    }]);
  }
  for (const model of atlases) {
    all.push([`atlas of ${model}`, async (program, folder) =>
      ({atlas: await made(program, ['atlas', '--model', model, '-q', '-o', 'out.json'], folder, 'out.json')})]);
  }
  all.push(['vectors', async (program, folder) => ({vectors: await made(program, ['vectors', '-o', 'vectors'], folder, 'vectors')})]);
  return all;
}

const digest = found => createHash('sha256').update(JSON.stringify(found)).digest('hex');

const [mode, program, other, every] = process.argv.slice(2);
if (!['write', 'compare', 'difference'].includes(mode) || !other) {
  throw new Error('Usage: node manifest.mjs write|compare VERNIER MANIFEST [EVERY], or difference VERNIER VERNIER');
}
const asked = groups().filter((_, index) => index % Number(every ?? 1) === 0);
const made_by = async by => each(asked, ([, work], folder) => work(resolve(by), folder));
const found = await made_by(program);
if (mode === 'write') {
  writeFileSync(other, `${JSON.stringify(Object.fromEntries(asked.map(([name], index) => [name, digest(found[index])])), null, 1)}\n`);
} else if (mode === 'compare') {
  const expected = JSON.parse(readFileSync(other, 'utf8'));
  const wrong = asked.filter(([name], index) => expected[name] !== digest(found[index])).map(([name]) => name);
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${asked.length} entries differ from ${other}: ${wrong.join(', ')}`);
  console.log(`${asked.length} entries are as in ${other}.`);
} else {
  const theirs = await made_by(other);
  asked.forEach(([name], index) => {
    for (const key of new Set([...Object.keys(found[index]), ...Object.keys(theirs[index])])) {
      const [a, b] = [found[index][key], theirs[index][key]];
      if (a !== b) console.log(`${name}: ${key}\n  ${a}\n  ${b}`);
    }
  });
}
