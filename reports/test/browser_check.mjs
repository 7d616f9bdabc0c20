// Reads every page of a folder in a browser, as readers do: narrow and wide, light and dark, on paper, without JavaScript, with
// the pointer and with the keyboard. Nothing may be an error, ask the network, scroll the page sideways, overlap, be too small or
// too pale, or keep its numbers to itself.
// Usage: node browser_check.mjs FOLDER CHROMIUM [--all] [--screenshots FOLDER] [--workers N]
//   --all: every page in every width and scheme. Else one scheme a width, and of pages of one make ("model-...") the longest and
//          the shortest
//   A page is loaded once; its widths and schemes are emulated. Pointer, keyboard and saving are tried at one width of each page,
//   in turn, on a chart that several pages hold once; axe reads the longest page of each make, with --all in both schemes.
import {mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {availableParallelism} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {chromium} from 'playwright-core';
import {conclude} from './web_pages.mjs';

const widths = [320, 400, 768, 1600];
const phone = 400;  // where only charts are looked at
const schemes = ['light', 'dark'];
const height = 900;
const paper = 688;  // A4 between its margins

const {values: options, positionals: [folder, executablePath]} =
  parseArgs({allowPositionals: true, options: {all: {type: 'boolean'}, screenshots: {type: 'string'}, workers: {type: 'string'}}});
if (!executablePath) throw new Error(`Usage: node ${process.argv[1]} FOLDER CHROMIUM [--all] [--screenshots FOLDER] [--workers N]`);
if (options.screenshots) mkdirSync(options.screenshots, {recursive: true});
const all = readdirSync(folder).filter(name => name.endsWith('.html')).sort();
if (all.length === 0) throw new Error(`${folder} holds no page.`);
const names = options.all ? all : all.filter(isExtreme);
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const problems = [];

// The lengths of a page and of the others of its make.
function lengths(name) {
  const make = name.replace(/-.*/, '-');
  const length = other => statSync(join(folder, other)).size;
  return {own: length(name), others: all.filter(other => other !== name && other.startsWith(make)).map(length)};
}

function isLongest(name) {
  const {own, others} = lengths(name);
  return others.length < 2 || own >= Math.max(...others);
}

function isExtreme(name) {
  const {own, others} = lengths(name);
  return isLongest(name) || own <= Math.min(...others);
}

// The functions below run in the page.

// What is wrong with the page and its drawings as they stand on the screen.
function layoutProblems(leastLetters) {
  const rgb = text => text.match(/[\d.]+/g).slice(0, 3).map(Number);
  const luminance = colour => rgb(colour).map(c => c / 255).map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
  const paperColour = getComputedStyle(document.body).backgroundColor;
  const {scrollWidth, clientWidth} = document.documentElement;
  const overflow = scrollWidth > clientWidth ? [`is ${scrollWidth - clientWidth} px wider than the window`] : [];
  // Bars are as long as their numbers say, of their wholes and beside each other.
  const barProblems = (figure, svg) => {
    const rows = [...figure.querySelector('table').tBodies[0].rows];
    const number = (row, column) => Number(row.cells[column].textContent.replace(/[^\d.]/g, ''));
    const bars = [...svg.querySelectorAll('.bar')].map(bar => {
      const [mark, track] = ['.mark', '.track'].map(name => bar.querySelector(name).getBoundingClientRect().width);
      return {mark, track, value: number(rows[bar.dataset.row], 1), of: number(rows[bar.dataset.row], 2)};
    });
    const most = Math.max(...bars.map(({of}) => of));
    const longest = Math.max(...bars.map(({track}) => track));
    const found = bars.flatMap(({mark, track, value, of}, i) => (Math.abs(mark - value / of * track) <= 1 ? []
      : [`bar ${i + 1} is ${mark.toFixed(0)} px of ${track.toFixed(0)}, expected ${(value / of * track).toFixed(0)}`]));
    const alike = bars.every(({track}) => longest - track <= 1);
    if (!alike && !bars.every(({track, of}) => Math.abs(track - of / most * longest) <= 1)) found.push('has wholes of no one scale');
    return found;
  };
  return overflow.concat([...document.querySelectorAll('figure.chart')].flatMap(figure => {
    const found = [];
    const drawings = [...figure.querySelectorAll('.plot svg')].filter(one => one.getBoundingClientRect().width > 0);
    if (drawings.length !== 1) return [`#${figure.id} shows ${drawings.length} drawings`];
    const [svg] = drawings;
    const cut = svg.getBoundingClientRect().right - svg.parentElement.getBoundingClientRect().right;
    if (cut > 1) found.push(`is cut: ${cut.toFixed(0)} px wider than its box`);
    if (svg.matches('.bars')) found.push(...barProblems(figure, svg));
    const whole = svg.getBoundingClientRect();
    const marks = [...svg.querySelectorAll('.mark, .zero')].filter(mark => {
      const box = mark.getBoundingClientRect();
      return box.width + box.height > 0 || mark.closest('.bar');
    });
    if (marks.length === 0) found.push('holds no mark');
    const texts = [...svg.querySelectorAll('text')];
    const boxes = texts.map(text => text.getBoundingClientRect());
    texts.forEach((text, i) => {
      const {fill, fontSize} = getComputedStyle(text);
      const size = parseFloat(fontSize) * whole.width / (svg.viewBox.baseVal?.width || whole.width);
      if (text.textContent.endsWith('\u2026')) found.push(`"${text.textContent}" is not whole`);
      if (size < leastLetters - 0.01) found.push(`"${text.textContent}" is ${size.toFixed(1)} px high`);
      if (contrast(fill, paperColour) < 4.5) found.push(`"${text.textContent}" is pale: ${fill} on ${paperColour}`);
      const box = boxes[i];
      if (box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1) {
        found.push(`"${text.textContent}" leaves the drawing`);
      }
      for (let j = 0; j < i; ++j) {
        const other = boxes[j];
        const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        if (across > 0.5 && down > 1) found.push(`"${text.textContent}" overlaps "${texts[j].textContent}"`);
      }
    });
    return found.map(text => `#${figure.id} ${text}`);
  }));
}

async function accessibility() {
  // The numbers behind a chart are thousands of cells of one form: two rows stand for all.
  const context = {include: [['html']], exclude: [['figure.chart tbody tr:nth-child(n+3)']]};
  const {violations} = await globalThis.axe.run(context, {preload: false, resultTypes: ['violations']});
  return violations.map(({id, nodes}) => `breaks axe's ${id}: ${nodes[0].target.join(' ')} (${nodes.length} times)`);
}

// From here on in this process.

// What a reader saves is the table: a line a row, numbers that programs read.
async function savingProblems(page, figure) {
  const timeout = 5000;
  const fold = figure.locator('summary').first();
  await fold.click({timeout});
  const [download] = await Promise.all([page.waitForEvent('download', {timeout}), figure.locator('.download').click({timeout})]);
  const text = readFileSync(await download.path(), 'utf8');
  await fold.evaluate(summary => summary.click());
  const rows = await figure.locator('details tr').count();
  const lines = text.trimEnd().split('\n').length;
  return lines === rows && !text.includes('\u202f') ? [] : [`saves ${lines} lines of a table of ${rows}`];
}

// A closer look: by the keyboard, and by dragging; the numbers are still to be had, and all comes back as it was.
async function zoomProblems(page, plot, told) {
  if (!await plot.locator('svg.lines').count()) return [];
  const found = [];
  const isZoomed = async () => await plot.locator('svg.zoomed').count() > 0;
  const labels = () => plot.locator('svg .axes text').allTextContents();
  const before = (await labels()).join();
  await plot.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('+');
  if (!await isZoomed()) found.push('does not come closer by the keyboard');
  await page.keyboard.press('ArrowRight');
  await told('keyboard, seen closer');
  found.push(...(await page.evaluate(layoutProblems, 11)).filter(text => text.includes('overlaps')));
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('0');
  if (await isZoomed() || (await labels()).join() !== before) found.push('does not come back from a closer look');
  const {x, y, height: plotHeight} = await plot.boundingBox();
  await page.mouse.move(x + 120, y + plotHeight * 0.3);
  await page.mouse.down();
  await page.mouse.move(x + 220, y + plotHeight * 0.7, {steps: 3});
  await page.mouse.up();
  if (!await isZoomed()) found.push('does not come closer to what is dragged over');
  await plot.locator('..').locator('.whole:visible').click();
  if (await isZoomed()) found.push('has a button that does not show all again');
  await page.mouse.move(0, 0);
  return found;
}

// The charts that were tried, as their pages hold them: what is the same to the last byte behaves the same.
const tried = new Set();

// Events go to the page as the pointer and the keyboard send them, without waiting until nothing moves: nothing does.
async function interactionProblems(page) {
  const found = [];
  for (const plot of await page.locator('figure.chart .plot:visible').all()) {
    const figure = plot.locator('..');
    const drawn = await figure.evaluate(element => element.outerHTML);
    if (tried.has(drawn)) continue;
    tried.add(drawn);
    const {name, marks, x, y} = await plot.evaluate(element => {
      element.scrollIntoView({block: 'center'});
      element.scrollLeft = 0;
      const {left, top, height} = element.getBoundingClientRect();
      return {name: element.parentElement.id, marks: element.querySelectorAll('svg .mark').length, x: left + 120, y: top + height / 2};
    });
    const shown = () => figure.evaluate(element => {
      const tooltip = element.querySelector('.chart-tooltip');
      return tooltip && getComputedStyle(tooltip).display !== 'none' && getComputedStyle(tooltip).visibility !== 'hidden' && tooltip.getBoundingClientRect().height > 0
        ? tooltip.innerText : '';
    });
    const told = async how => {
      const text = await shown();
      if (!/\d/.test(text)) found.push(`#${name} tells nothing by ${how}`);
      return text;
    };
    await page.mouse.move(x, y);
    await told('pointer');
    await page.mouse.move(0, 0);
    if (await shown()) found.push(`#${name} keeps its numbers when the pointer leaves`);
    await plot.focus();
    await page.keyboard.press('ArrowRight');
    const first = await told('keyboard');
    const others = new Set();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowLeft']) {
      await page.keyboard.press(key);
      others.add(await told(key));
    }
    others.delete(first);
    if (others.size === 0 && marks > 1) found.push(`#${name} does not move with the arrow keys`);
    await page.keyboard.press('Escape');
    if (await shown()) found.push(`#${name} keeps its numbers after Escape`);
    found.push(...(await zoomProblems(page, plot, told)).map(text => `#${name} ${text}`));
    found.push(...await savingProblems(page, figure).catch(error => [`saves nothing: ${error.message.split('\n')[0]}`]).then(
      texts => texts.map(text => `#${name} ${text}`)));
    const label = plot.locator('.series text').first();
    if (await label.count() > 0) {
      await label.click();
      if (!await plot.locator('svg.isolated').count()) found.push(`#${name} does not show a line alone`);
      await label.dispatchEvent('click');
    }
  }
  return found;
}

const isRemote = url => !/^(file|data|blob):/.test(url);

// A window, with or without script, that says what goes wrong in it. `at` says where it is: the page's name and the view.
async function opened(browser, script, at) {
  const context = await browser.newContext({javaScriptEnabled: script, reducedMotion: 'reduce'});
  const page = await context.newPage();
  const add = found => problems.push(...found.map(text => `${at.name} ${at.view}: ${text}`));
  page.on('console', message => ['error', 'warning'].includes(message.type()) && add([`console: ${message.text()}`]));
  page.on('pageerror', error => add([`error: ${error.message}`]));
  page.on('request', request => isRemote(request.url()) && add([`asks for ${request.url()}`]));
  return {page, add};
}

// Every way in which a page is looked at. `deep`: with pointer and keyboard; `axe`: with axe.
function viewsOf(index, name) {
  const usual = (at, other) => (index + at + other) % schemes.length === 0;
  const reads = isLongest(name);
  const screens = widths.flatMap((width, at) => schemes.map((scheme, other) => ({
    width,
    scheme,
    shown: options.all || usual(at, other) && (width !== phone || hasChart(name)),
    deep: at === index % widths.length && usual(at, other),
    axe: reads && at === index % widths.length && (options.all || usual(at, other))
  })));
  return [...screens.filter(({shown}) => shown), {width: paper, scheme: 'light', media: 'print'}];
}

const inWords = view => `at ${view.width} px, ${view.media ?? view.scheme}`;

async function look(page, name, view, add) {
  await page.emulateMedia({colorScheme: view.scheme, media: view.media ?? 'screen'});
  await page.setViewportSize({width: view.width, height});
  add(await page.evaluate(layoutProblems, view.media ? 7 : 11));
  if (options.screenshots) {
    const kind = view.media ?? (view.plain ? 'plain' : view.scheme);
    await page.screenshot({path: join(options.screenshots, `${name.replace('.html', '')}-${view.width}-${kind}.png`), fullPage: true});
  }
  if (view.deep) add(await interactionProblems(page));
  if (view.axe) {
    await page.evaluate(source => globalThis.axe || (0, eval)(source), axeSource);
    add(await page.evaluate(accessibility));
  }
}

const hasChart = name => readFileSync(join(folder, name), 'utf8').includes('<figure class="chart"');

// Looks at pages, each the next that no other worker has taken, in a window with script and one without.
async function work(browser, queue) {
  const at = {};
  const alive = await opened(browser, true, at);
  const plain = await opened(browser, false, at);
  let count = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [index, name] = next;
    const address = pathToFileURL(resolve(folder, name)).href;
    const views = viewsOf(index, name);
    Object.assign(at, {name, view: inWords(views[0])});
    await alive.page.goto(address);
    for (const view of views) {
      at.view = inWords(view);
      await look(alive.page, name, view, alive.add);
    }
    count += views.length;
    if (!hasChart(name)) continue;
    at.view = 'without JavaScript';
    await plain.page.goto(address);
    await look(plain.page, name, {width: 768, scheme: 'light', plain: true}, plain.add);
    ++count;
  }
  return count;
}

const browser = await chromium.launch({executablePath});
const queue = [...names.entries()];
const workers = Array.from({length: Number(options.workers ?? availableParallelism())}, () => work(browser, queue));
const count = (await Promise.all(workers)).reduce((sum, one) => sum + one, 0);
await browser.close();
conclude(problems.sort(), `${names.length} pages, ${count} views`);
