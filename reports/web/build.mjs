// Builds what the pages need: charts.js (the modules of the pages' script as one), style.css, and for each the SHA-256 that a
// page's content security policy names.
// Runs in the build folder, beside node_modules; writes into the folder given as its argument.
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {build, transform} from 'esbuild';

// Written inside a script element, each of these would end it early or swallow the rest of the page without an error.
const forbidden = /<!--|<script|<\/script|<\/style|sourceMappingURL/i;

// The sheets that all pages share, one after another.
const styles = ['style.css', 'layout.css', 'lists.css'];

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

async function main() {
  const folder = process.argv[2];
  if (!folder) throw new Error('Usage: node build.mjs FOLDER');
  if (!existsSync('node_modules')) throw new Error('node_modules is missing: run npm ci first.');
  mkdirSync(folder, {recursive: true});
  const bundle = await build({
    entryPoints: ['driver.mjs'],
    bundle: true,
    charset: 'ascii',
    format: 'iife',
    legalComments: 'none',
    logLevel: 'warning',
    minify: true,
    target: 'es2022',
    write: false
  });
  const site = await build({entryPoints: ['site.mjs'], bundle: true, charset: 'ascii', format: 'iife', minify: true, target: 'es2022', write: false});
  const style = await transform(styles.map(name => readFileSync(name, 'utf8')).join('\n'), {loader: 'css', minify: true, charset: 'ascii'});
  saveForInlining(folder, 'site.js', site.outputFiles[0].text);
  saveForInlining(folder, 'style.css', style.code);
  saveForInlining(folder, 'charts.js', bundle.outputFiles[0].text);
}

await main();
