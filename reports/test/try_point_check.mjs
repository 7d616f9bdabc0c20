// Tries points in a browser as a reader does: in the report's folder, and in the report in one file, which is also read page by page.
// Nothing may be an error or ask for another file; what the page says is what the command prints; bad input is told in one sentence.
// Usage: node try_point_check.mjs FOLDER FILE VERNIER CHROMIUM [--screenshots FOLDER]
import {execFileSync} from 'node:child_process';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {chromium} from 'playwright-core';
import {conclude} from './web_pages.mjs';

const {values: options, positionals: [folder, file, vernier, executablePath]} =
  parseArgs({allowPositionals: true, options: {screenshots: {type: 'string'}}});
if (!executablePath) throw new Error(`Usage: node ${process.argv[1]} FOLDER FILE VERNIER CHROMIUM [--screenshots FOLDER]`);
const problems = [];
let checks = 0;
const expect = (isTrue, problem) => {
  ++checks;
  if (!isTrue) problems.push(problem);
};

const address = path => pathToFileURL(resolve(path)).href;
const browser = await chromium.launch({executablePath});

async function opened(where, settings = {}) {
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  const asked = [];
  page.on('console', message => ['error', 'warning'].includes(message.type()) && problems.push(`${where}: console: ${message.text()}`));
  page.on('pageerror', error => problems.push(`${where}: error: ${error.message}`));
  page.on('request', request => asked.push(request.url()));
  page.setDefaultTimeout(10_000);
  await page.goto(where);
  return {page, asked};
}

// What the page says of the point, by name of the row; the cosine first.
const told = page => page.$$eval('#point-cards .card', cards => cards.map(card => Object.fromEntries(
  [...card.querySelectorAll('dt')].map(name => [name.textContent, name.nextElementSibling.textContent]))));

async function tryPoint(page, where, {position, pair, recipe, stored, model}) {
  if (model) await page.locator('[name=model]').selectOption({label: model});
  if (recipe) await page.locator('[name=recipe]').selectOption(recipe);
  if (stored) await page.locator('[name=stored]').selectOption(stored);
  await page.locator('[name=position]').fill(position);
  await page.locator('[name=pair]').fill(pair);
  const command = await page.locator('#point-command').innerText();
  const elements = JSON.parse(execFileSync(vernier, [...command.split(' ').slice(1), '--json', '-'], {encoding: 'utf8'})).elements;
  const said = await told(page);
  for (const [index, role] of ['cos', 'sin'].entries()) {
    const {truth, computed} = elements.find(one => one.role === role);
    expect(said[index]?.Truth === truth, `${where}: ${command}: says ${said[index]?.Truth}, not ${truth}`);
    const {bits} = computed.correctly_rounded_trigonometry;
    expect(said[index]?.Bits === bits, `${where}: ${command}: says ${said[index]?.Bits}, not ${bits}`);
  }
}

async function refuse(page, where, field, text, sentence) {
  const before = await page.locator(`[name=${field.toLowerCase()}]`).inputValue();
  await page.locator(`[name=${field.toLowerCase()}]`).fill(text);
  const fault = page.getByRole('alert');
  expect(await fault.isVisible() && (await fault.innerText()).startsWith(sentence), `${where}: ${field} "${text}": does not say "${sentence}"`);
  expect((await told(page)).length === 0, `${where}: ${field} "${text}": still shows a point`);
  await page.locator(`[name=${field.toLowerCase()}]`).fill(before);
  expect(!await fault.isVisible(), `${where}: ${field} "${before}": still complains`);
}

// By the keyboard alone: from the model through all fields.
async function keyboard(page, where) {
  await page.locator('[name=model]').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  expect(await page.locator('[name=recipe]').inputValue() === await page.locator('[name=recipe]').locator('option').last().getAttribute('value'),
    `${where}: the keyboard does not choose a recipe`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('7');
  expect(await page.locator('[name=position]').evaluate(field => field === document.activeElement), `${where}: the keyboard does not reach the position`);
  await page.locator('[name=recipe]').selectOption('float32-pow');
}

async function looks(page, where) {
  for (const width of [320, 768, 1600]) {
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize({width, height: 900});
      await page.emulateMedia({colorScheme});
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(over <= 0, `${where} at ${width} px: ${over} px wider than the window`);
      if (options.screenshots) await page.screenshot({path: join(options.screenshots, `try-${width}-${colorScheme}.png`), fullPage: true});
    }
  }
}

async function triesPoints(where, isDeep) {
  const {page} = await opened(where);
  await tryPoint(page, where, {position: '4095', pair: '3'});
  await tryPoint(page, where, {position: '2^20', pair: '1', recipe: 'bfloat16-position', stored: 'float32'});
  await tryPoint(page, where, {position: '-7', pair: '0', recipe: 'float64-pow', stored: 'bfloat16', model: 'llama-2-7b-hf'});
  await refuse(page, where, 'Position', '2^40', 'Position: found “2^40”, expected a whole number from −2^31 to 2^31');
  await refuse(page, where, 'Position', 'here', 'Position: found “here”, expected a whole number');
  await refuse(page, where, 'Position', '', 'Position: found nothing, expected a whole number');
  await refuse(page, where, 'Position', '1.5', 'Position: found “1.5”, expected a whole number');
  await refuse(page, where, 'Pair', '64', 'Pair: found “64”, expected a whole number from 0 to 63, as llama-2-7b-hf has 64 pairs');
  await refuse(page, where, 'Pair', '-1', 'Pair: found “-1”, expected a whole number from 0 to 63');
  await keyboard(page, where);
  // The address keeps the point.
  const said = await told(page);
  await page.reload();
  expect(JSON.stringify(await told(page)) === JSON.stringify(said), `${where}: another point when loaded again`);
  if (isDeep) await looks(page, where);
  await page.context().close();
}

// What the report in one file does as a folder does.
async function readsInOneFile() {
  const where = address(file);
  const {page, asked} = await opened(where);
  const heading = () => page.locator('main h1').innerText();
  // One file turns its pages after the click, when it hears of the new address.
  const headingAfter = async before => {
    const isAnother = text => document.querySelector('main h1').innerText !== text;
    await page.waitForFunction(isAnother, before, {timeout: 5000}).catch(() => {});
    return heading();
  };
  const first = await heading();
  await page.getByRole('navigation', {name: 'Pages', exact: true}).getByRole('link', {name: 'Models'}).click();
  const models = await headingAfter(first);
  expect(models !== first && page.url().endsWith('#models'), `${where}: no way to the models`);
  await page.locator('.family summary').first().click();
  await page.locator('.family a').first().click();
  const model = await headingAfter(models);
  await page.getByRole('link', {name: 'Try a point of this model'}).first().click();
  const point = await headingAfter(model);
  expect(model.startsWith(await page.locator('[name=model]').locator('option:checked').innerText()), `${where}: the point is not one of ${model}`);
  await page.goBack();
  expect(await headingAfter(point) === model, `${where}: no way back`);
  await page.getByLabel('Search the report').fill('llama-3.1-8b');
  await page.keyboard.press('Enter');
  // Models of one rotation share a page.
  await page.waitForFunction(() => document.querySelector('main h1').textContent.includes('with the same rotation'));
  const shared = await page.locator('main').textContent();
  expect(shared.includes('llama-3.1-8b'), `${where}: the search for llama-3.1-8b leads to a page without it`);
  await page.getByLabel('Search the report').fill('qkv rotation');
  const names = await page.$$eval('template[data-page]', pages => pages.map(({dataset}) => dataset.page));
  const makes = names.map(name => name.replace(/-.*/, '-'));
  for (const name of names.filter((_, at) => makes.indexOf(makes[at]) === at)) {
    await page.evaluate(to => { location.hash = `#${to}`; }, name);
    await page.waitForFunction(title => document.title === title,
      await page.$eval(`template[data-page="${name}"]`, ({dataset}) => dataset.title));
    const dead = await page.$$eval('main a[href], header a[href]', links => links.map(link => link.getAttribute('href'))
      .filter(to => !to.startsWith('#') && !/^(https?|mailto):/.test(to)));
    expect(dead.length === 0, `${where}#${name}: links to ${dead[0]}`);
    for (const plot of (await page.locator('figure.chart .plot').all()).slice(0, 1)) {
      await plot.focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.locator('.chart-tooltip').first().isVisible(), `${where}#${name}: its chart does not answer`);
    }
  }
  expect(asked.length === 1, `${where}: asks for ${asked[1]}`);
  await page.context().close();
}

async function withoutScript(where, what) {
  const {page} = await opened(where, {javaScriptEnabled: false});
  expect(await page.locator(what).first().isVisible(), `${where}: without JavaScript it does not show ${what}`);
  await page.context().close();
}

await triesPoints(address(join(folder, 'try.html')), true);
await triesPoints(`${address(file)}#try`, false);
await readsInOneFile();
await withoutScript(address(join(folder, 'try.html')), '#point-command');
await withoutScript(address(join(folder, 'try.html')), 'noscript .notice');
await withoutScript(address(file), 'main h1');
await browser.close();
conclude(problems.sort(), `${checks} checks`);
