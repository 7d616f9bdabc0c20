// Builds what the pages need: charts.js (the charting runtime and the driver), style.css, notices.txt (the licences of what
// is in the bundle), and for each of the first two the SHA-256 that a page's content security policy names.
// Runs in the build folder, beside node_modules; writes into the folder given as its argument.
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {build, transform} from 'esbuild';

// Written inside a script element, each of these would end it early or swallow the rest of the page without an error.
const forbidden = /<!--|<script|<\/script|<\/style|sourceMappingURL/i;

// The sheets that all pages share, one after another.
const styles = ['style.css', 'layout.css'];

function save(folder, name, text) {
  const target = join(folder, name);
  writeFileSync(`${target}.tmp`, text);
  renameSync(`${target}.tmp`, target);
}

function saveForInlining(folder, name, text) {
  const found = forbidden.exec(text);
  if (found) throw new Error(`${name} contains ${found[0]} and cannot stand inside a page.`);
  if (text.includes('\r')) throw new Error(`${name} contains a carriage return; a page's policy hashes line feeds only.`);
  save(folder, name, text);
  save(folder, `${name}.sha256`, createHash('sha256').update(text).digest('base64'));
}

function licenceOf(folder) {
  const names = readdirSync(folder).filter(name => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  if (names.length === 0) throw new Error(`${folder} ships no licence text.`);
  return names.map(name => readFileSync(join(folder, name), 'utf8').replace(/\r\n/g, '\n').trim()).join('\n\n');
}

function packageFolders(metafile) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) folders.add(match[1]);
  }
  return [...folders].sort();
}

// One paragraph for each distinct licence text, headed by the packages it covers.
function notices(metafile) {
  const packagesByText = new Map();
  for (const folder of packageFolders(metafile)) {
    const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = licenceOf(folder);
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const paragraphs = [...packagesByText].map(([text, packages]) => `${packages.join('\n')}\n\n${text}\n`);
  return `The charts of this report are drawn by the following packages.\n\n${paragraphs.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

async function main() {
  const folder = process.argv[2];
  if (!folder) throw new Error('Usage: node build.mjs FOLDER');
  if (!existsSync('node_modules')) throw new Error('node_modules is missing: run npm ci first.');
  mkdirSync(folder, {recursive: true});
  const bundle = await build({
    entryPoints: ['driver.mjs'],
    alias: {vega: './vega_subset.mjs'},
    bundle: true,
    charset: 'ascii',
    format: 'iife',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    minify: true,
    target: 'es2020',
    write: false
  });
  const site = await build({entryPoints: ['site.mjs'], bundle: true, charset: 'ascii', format: 'iife', minify: true, target: 'es2020', write: false});
  const style = await transform(styles.map(name => readFileSync(name, 'utf8')).join('\n'), {loader: 'css', minify: true, charset: 'ascii'});
  save(folder, 'notices.txt', notices(bundle.metafile));
  save(folder, 'site.js', site.outputFiles[0].text);
  saveForInlining(folder, 'style.css', style.code);
  saveForInlining(folder, 'charts.js', bundle.outputFiles[0].text);
}

await main();
