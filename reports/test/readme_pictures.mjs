// The pictures of README.md, cut out of the pages of a full report.
// Usage: node readme_pictures.mjs REPORT CHROMIUM FOLDER: pictures are written into the folder
import {mkdirSync, statSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

// `from` the top of one element `to` the bottom of another, `without` some between; `scale`: pixels of the
// picture for one of the page.
const pictures = [
  {name: 'findings.png', page: 'index.html', width: 640, from: 'h1', to: '.hero .plot', without: '.lead'},
  {name: 'accuracy.png', page: 'recipes.html', width: 870, from: '#error-rope-128-10000 .plot', to: '#error-rope-128-10000 .plot', scale: 0.75}
];
const most = 60 * 1024;  // bytes: they are in the repository
const margin = 8;

const [report, executablePath, folder] = process.argv.slice(2);
if (!folder) throw new Error(`Usage: node ${process.argv[1]} REPORT CHROMIUM FOLDER`);
mkdirSync(folder, {recursive: true});

const browser = await chromium.launch({executablePath});
for (const {name, page: file, width, from, to, without, scale = 1} of pictures) {
  const page = await browser.newPage({viewport: {width, height: 900}, deviceScaleFactor: scale, colorScheme: 'light'});
  await page.goto(pathToFileURL(resolve(report, file)).href);
  if (without) await page.locator(without).evaluateAll(elements => elements.forEach(element => element.remove()));
  const first = await page.locator(from).first().boundingBox();
  const last = await page.locator(to).first().boundingBox();
  const top = first.y - margin;
  const path = join(folder, name);
  await page.screenshot({path, fullPage: true, clip: {x: 0, y: top, width, height: last.y + last.height + margin - top}});
  await page.close();
  const {size} = statSync(path);
  console.log(`${path}: ${size} bytes`);
  if (size > most) throw new Error(`${path} has ${size} bytes, expected at most ${most}`);
}
await browser.close();
