// Checks every page of a folder: valid and accessible HTML by html-validate's rules, links and files that exist, nothing from
// the network, and a security policy that names the hash of every script and style inside the page.
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

// Attributes that make a browser load or follow something, and what they name.
function references(page) {
  const outsideScripts = page.text.replace(/<(script|style)\b([^>]*)>[^]*?<\/\1>/g, '<$1$2>');
  return [...outsideScripts.matchAll(/\s(?:src|href|action|poster|data|srcset)="([^"]*)"/g)].map(([, target]) => target);
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
const problems = [];
for (const page of pages) problems.push(...await validity(page), ...links(page, folder), ...policy(page));
conclude(problems, `${pages.length} pages`);
