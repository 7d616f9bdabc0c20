// Makes manual.json of the manual's Markdown pages: [{file, title, name, html}], in the order in which index.md links to them.
// And glossary.json of the terms in glossary.md: {term: definition}, in plain text.
// Usage: node manual.mjs FOLDER_OF_THE_PAGES OUTPUT_FOLDER, beside node_modules.
// Links work as on GitHub: headings have its ids, a link to a page of the manual leads to that page of the report, and one to
// another file of the repository, which no report holds, becomes the file's path.
import {readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {posix} from 'node:path';
import MarkdownIt from 'markdown-it';

const place = 'reports/manual';
const htmlFile = page => (page === 'index.md' ? 'manual.html' : `manual-${page.slice(0, -3).replaceAll('_', '-')}.html`);

// GitHub's id of a heading.
const slug = text => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');

const textOf = inline => inline.children.map(({type, content}) => (type === 'softbreak' ? ' ' : content)).join('');

function converter(pages) {
  const markdown = new MarkdownIt({html: false});
  const {rules} = markdown.renderer;
  const plain = (tokens, i, options, env, self) => self.renderToken(tokens, i, options);
  rules.heading_open = (tokens, i, ...rest) => {
    tokens[i].attrSet('id', slug(textOf(tokens[i + 1])));
    return plain(tokens, i, ...rest);
  };
  rules.th_open = (tokens, i, ...rest) => {
    tokens[i].attrs = [['scope', 'col']];  // no style: the page's policy forbids it
    return plain(tokens, i, ...rest);
  };
  rules.td_open = (tokens, i, ...rest) => {
    tokens[i].attrs = null;
    return plain(tokens, i, ...rest);
  };
  rules.table_open = (tokens, i, options, env) => {
    env.tables = (env.tables ?? 0) + 1;
    return `<section class="scroll" tabindex="0" aria-label="Table ${env.tables}">\n<table>\n`;
  };
  // Examples may be wider than a narrow window: the keyboard scrolls them too.
  const example = (tokens, i) => `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[i].content)}</code></pre>\n`;
  rules.code_block = example;
  rules.fence = example;
  rules.table_close = () => '</table>\n</section>\n';
  rules.link_open = (tokens, i, options, env, self) => {
    const target = tokens[i].attrGet('href');
    if (/^[a-z]+:|^#/i.test(target)) return self.renderToken(tokens, i, options);
    const [path, fragment] = target.split('#');
    const page = posix.relative(place, posix.join(place, path));
    if (!pages.includes(page)) {
      env.path = posix.join(place, path);
      return '';
    }
    tokens[i].attrSet('href', htmlFile(page) + (fragment ? `#${fragment}` : ''));
    return self.renderToken(tokens, i, options);
  };
  rules.link_close = (tokens, i, options, env, self) => {
    if (!env.path) return self.renderToken(tokens, i, options);
    const path = env.path;
    env.path = null;
    return tokens[i - 1].content === path ? '' : ` (<code>${markdown.utils.escapeHtml(path)}</code>)`;
  };
  return markdown;
}

function save(folder, name, value) {
  const target = posix.join(folder, name);
  writeFileSync(`${target}.tmp`, JSON.stringify(value));
  renameSync(`${target}.tmp`, target);
}

// The rows of the table under the first heading.
function glossary(text) {
  const plain = words => words.trim().replace(/`|\\(?=\|)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const [, table] = text.split(/^## /m);
  const rows = [...table.matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(1);  // after the heading
  return Object.fromEntries(rows.flatMap(([, terms, definition]) => terms.split(', ').map(term => [plain(term), plain(definition)])));
}

const [folder, output] = process.argv.slice(2);
// SKILL.md is no page: it is for coding assistants.
const names = readdirSync(folder).filter(name => /^[a-z0-9_]+\.md$/.test(name));
const source = name => readFileSync(posix.join(folder, name), 'utf8');
const linked = [...source('index.md').matchAll(/\]\(([a-z0-9_]+\.md)\)/g)].map(([, name]) => name);
const missing = names.filter(name => name !== 'index.md' && !linked.includes(name));
if (missing.length > 0) throw new Error(`${place}/index.md: found no link to ${missing.join(', ')}, expected one to every page.`);
const pages = ['index.md', ...new Set(linked.filter(name => names.includes(name)))];
const markdown = converter(names);
const written = pages.map(page => {
  const text = source(page);
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (!title) throw new Error(`${place}/${page}: found no line "# TITLE", expected one.`);
  return {file: htmlFile(page), title, html: markdown.render(text, {})};
});
save(output, 'manual.json', written);
save(output, 'glossary.json', glossary(source('glossary.md')));
