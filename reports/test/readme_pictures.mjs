// The pictures of README.md: the page of the verdict that its first session prints, light and dark.
// Usage: node readme_pictures.mjs VERNIER FOLDER [CHROMIUM]
//   with CHROMIUM: writes the pictures into the folder, and beside them the digest of the page that they show
//   without: fails if the folder's digest is not of the page that this command writes
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const most = 140 * 1024;  // bytes of a picture: it is in the repository
const [program, folder, executablePath] = process.argv.slice(2);
if (!folder) throw new Error(`Usage: node ${process.argv[1]} VERNIER FOLDER [CHROMIUM]`);
const digestFile = join(folder, 'verdict.sha256');

function bfloat16(value) {
  const [bits] = new Uint32Array(Float32Array.of(value).buffer);
  const rounded = (bits + 0x7fff + (bits >>> 16 & 1)) >>> 16 << 16;
  return new Float32Array(Uint32Array.of(rounded).buffer)[0];
}

// The tables of README.md's first session: frequencies of a RoPE cast to bfloat16, all else in float64.
function writeTables(where) {
  const [positions, pairs] = [4096, 64];
  for (const name of ['cos', 'sin']) {
    const table = new Float32Array(positions * pairs);
    for (let pair = 0; pair < pairs; ++pair) {
      const frequency = bfloat16(1 / 10000 ** (pair / pairs));
      for (let position = 0; position < positions; ++position) table[position * pairs + pair] = Math[name](position * frequency);
    }
    const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${positions}, ${pairs}), }`.padEnd(117) + '\n';
    const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0]);
    writeFileSync(join(where, `${name}.npy`), Buffer.concat([start, Buffer.from(header), Buffer.from(table.buffer)]));
  }
}

const work = mkdtempSync(join(tmpdir(), 'vernier-pictures-'));
try {
  writeTables(work);
  const call = ['validate', '-q', '--model', 'llama-2-7b-hf', '--cos', 'cos.npy', '--sin', 'sin.npy', '--html', 'verdict.html'];
  const {status, stderr} = spawnSync(resolve(program), call, {cwd: work, encoding: 'utf8'});
  if (status !== 1) throw new Error(`vernier ${call.join(' ')}: found exit status ${status}, expected 1\n${stderr}`);
  const page = join(work, 'verdict.html');
  // What a reader sees of the verdict. The style is not part of it, nor is the footer, which names the commit.
  const [seen] = /<main[^]*<\/main>/.exec(readFileSync(page, 'utf8'));
  const digest = createHash('sha256').update(seen.replace(/<details[^]*?<\/details>/g, '')).digest('hex');
  if (executablePath) {
    await takePictures(page);
    writeFileSync(digestFile, `${digest}\n`);
  } else if (readFileSync(digestFile, 'utf8').trim() !== digest) {
    console.error(`${digestFile}: found the digest of another page, expected ${digest}: run make pictures, and look at what it made.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, {recursive: true});
}

async function takePictures(page) {
  const {chromium} = await import('playwright-core');
  const browser = await chromium.launch({executablePath});
  for (const colorScheme of ['light', 'dark']) {
    const view = await browser.newPage({viewport: {width: 1180, height: 900}, colorScheme});
    await view.goto(pathToFileURL(page).href);
    const {y, height} = await view.locator('.diagnosis .cards').first().boundingBox();
    const path = join(folder, `verdict-${colorScheme}.png`);
    await view.screenshot({path, fullPage: true, clip: {x: 0, y: 0, width: 1180, height: y + height + 16}});
    await view.close();
    const {size} = statSync(path);
    console.log(`${path}: ${size} bytes`);
    if (size > most) throw new Error(`${path} has ${size} bytes, expected at most ${most}`);
  }
  await browser.close();
}
