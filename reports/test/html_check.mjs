// Checks every page of a folder: links and files that exist, no id twice, nothing from the network, and a security policy that
// names the hash of every script and style inside the page. And valid and accessible HTML by html-validate's rules, of the pages
// that together hold every element with its attributes in every element that holds it: others are those again, with other words.
// Usage: node html_check.mjs FOLDER [--all]
//   --all: html-validate reads every page
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {HtmlValidate, StaticConfigLoader} from 'html-validate';
import {conclude, readPages, requireFolder} from './web_pages.mjs';

// The rules of every page are the same: they are put together once.
class OneConfig extends StaticConfigLoader {
  getConfigFor(...page) {
    this.rules ??= super.getConfigFor(...page);
    return this.rules;
  }
}

const validator = new HtmlValidate(new OneConfig({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: {
    'doctype-style': ['error', {style: 'lowercase'}],
    'long-title': 'off',
    'no-implicit-button-type': 'error',
    'no-trailing-whitespace': 'off',
    'require-sri': 'off',  // a page opened from the file system cannot fetch its own files with integrity checks
    'void-style': 'off'
  }
}));

async function validity(page) {
  const report = await validator.validateString(page.text, page.name);
  return report.results.flatMap(result =>
    result.messages.map(({line, column, ruleId, message}) => `${page.name}:${line}:${column}: ${message} (${ruleId})`));
}

const withoutText = text => text.replace(/<(script|style)\b([^>]*)>[^]*?<\/\1>/g, '<$1$2></$1>');
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const kinds = new Set(['class', 'role', 'scope', 'type']);  // attributes whose values are of the form

// Every element with its attributes, and the one that holds it.
function forms(page) {
  const found = new Set();
  const open = [{name: '', form: ''}];
  for (const [, closes, name, rest] of withoutText(page.text).matchAll(/<(\/?)([a-z][a-z0-9-]*)((?:\s[^>]*?)?)>/gi)) {
    if (closes) {
      while (open.length > 1 && open.pop().name !== name);
      continue;
    }
    const attributes = [...rest.matchAll(/\s([a-z:-]+)(?:="([^"]*)")?/gi)].map(
      ([, attribute, value]) => (kinds.has(attribute) || !value ? `${attribute}=${value}` : attribute));
    const form = [name, ...attributes].join(' ');
    found.add(`${open.at(-1).form} > ${form}`);
    if (!empty.has(name) && !rest.endsWith('/')) open.push({name, form});
  }
  return found;
}

// The longest page, then each that adds a form.
function representatives(pages) {
  const known = new Set();
  return [...pages].sort((a, b) => b.text.length - a.text.length).filter(page => {
    const before = known.size;
    forms(page).forEach(form => known.add(form));
    return known.size > before;
  });
}

function doubled(page) {
  const ids = [...withoutText(page.text).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
  return ids.filter((id, at) => ids.indexOf(id) !== at).map(id => `${page.name}: has the id ${id} twice`);
}

// Attributes that make a browser load or follow something, and what they name.
function references(page) {
  return [...withoutText(page.text).matchAll(/\s(?:src|href|action|poster|data|srcset)="([^"]*)"/g)].map(([, target]) => target);
}

function links(page, folder) {
  const problems = [];
  for (const target of references(page)) {
    if (target.startsWith('data:')) continue;
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) {
      if (!new RegExp(`<a\\b[^>]* href="${target.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"`).test(page.text)) {
        problems.push(`${page.name}: loads ${target} from elsewhere`);
      }
      continue;
    }
    const [file, fragment] = target.split('#');
    if (file && !existsSync(join(folder, file))) problems.push(`${page.name}: refers to ${file}, which does not exist`);
    if (!file && fragment && !page.text.includes(`id="${fragment}"`)) {
      problems.push(`${page.name}: links to #${fragment}, which does not exist`);
    }
  }
  return problems;
}

function policy(page) {
  const found = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page.text);
  if (!found) return [`${page.name}: has no content security policy`];
  const text = found[1].replace(/&apos;|&#39;/g, "'");
  const problems = [];
  if (!text.startsWith("default-src 'none'")) problems.push(`${page.name}: its policy allows more than it names`);
  if (/unsafe-|https?:/.test(text)) problems.push(`${page.name}: its policy is too wide: ${text}`);
  for (const [, element, content] of page.text.matchAll(/<(script|style)>([^]*?)<\/\1>/g)) {
    const hash = createHash('sha256').update(content).digest('base64');
    if (!text.includes(`'sha256-${hash}'`)) problems.push(`${page.name}: its policy blocks its own <${element}>`);
  }
  if (/\s(?:style|on[a-z]+)="/.test(page.text.replace(/<(script|style|pre)\b[^>]*>[^]*?<\/\1>/g, ''))) {
    problems.push(`${page.name}: an inline style or handler, which its policy blocks`);
  }
  return problems;
}

const folder = requireFolder();
const pages = readPages(folder);
const validated = process.argv.includes('--all') ? pages : representatives(pages);
const problems = [];
for (const page of validated) problems.push(...await validity(page));
for (const page of pages) problems.push(...doubled(page), ...links(page, folder), ...policy(page));
conclude(problems.sort(), `${pages.length} pages, ${validated.length} of them by html-validate`);
