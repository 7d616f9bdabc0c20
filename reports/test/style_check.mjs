// Judges every sentence that a user reads by the rules of CONTRIBUTING.md, as far as a pattern can decide them. It reads
// Markdown (without code and quotations), the texts of JSON data and of page templates, messages in C++, and docstrings and
// messages of the Python package.
// Usage: node style_check.mjs FOLDER [EXCEPTIONS] | node style_check.mjs --sentences FOLDER
// A line of EXCEPTIONS is the beginning of a sentence that is allowed. --sentences prints "FILE:LINE: SENTENCE" for all.
import {readFileSync, readdirSync} from 'node:fs';
import {join, relative} from 'node:path';

const most_words = 30;
const most_exceptions = 20;

// [what a sentence breaks, the pattern that shows it]
const rules = [
  ['begins with "Of"', /^Of (?!course\b)/],
  ['begins with "Where"', /^Where\b[^?]*$/],
  ['begins with a question\'s word but asks nothing', /^(?:What|Which|Who|Whoever|Whose)\b[^?]*\.$/],
  ['is inverted', /^(?:Is|Are|Was|Were|Has|Had|Does|Do|Did|Should) (?:it|this|that|there|they|the|a|an|its|these|those|such)\b[^?]*\.$/],
  ['is inverted', /^(?:Neither|Nor|So|Only then|Not only) (?:is|are|was|were|does|do|did|has|have|can|may|must)\b/],
  ['"who" without the noun it belongs to', /(?:^|[,;:(] |\b(?:for|to|of|by|from|with|and|or|than|but|that) )who(?:ever|m)?\b/i],
  ['begins with "Whose"', /^Whose\b[^?]*$/],
  ['"that which"', /\bthat which\b/i],
  ['"is no" in place of "is not a"', /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer|more|less|larger|smaller|greater|better|worse|earlier|later|further)/],
  ['"anew" in place of "again"', /\banew\b/i],
  ['", so that": name the consequence in a sentence of its own', /, so that\b/],
  ['a word for people, not for programs', /\b(?:lives? on|put up with|makes? (?:no )?sense of|thereof|wherein|whereof|whereby|whosever)\b/i],
  ['a second "of" within a phrase', /\bof (?:(?:the|a|an|its|their|each|every|one|this|that|all|some|two|three) )?[\w-]+ of (?:the|a|an|its|their|each|every|one) [\w-]+ of\b/],
];

// Data that holds words of others, or no words: quotations of literature, lists of packages, schemas of test.
const not_ours = /(?:^|\/)(?:build|node_modules|\.[^/]+|test|third_party|fuzz|examples)\/|package(?:-lock)?\.json$|CMakePresets\.json$|atlas\/atlas\.json$|models\.json$|implementations\.json$|corpus\/.*\.json$|recorded_survey\.json$|bench\//;
// Keys whose values are quoted, or are formulas and code.
const quoted = new Set(['statement', 'source', 'citation', 'hypotheses', 'lines', 'document', 'formula', 'if', 'map', 'keys', 'spec',
  'phase', 'table', '$id', '$schema', 'pattern', 'project', 'similar', 'default', 'const', 'enum', 'examples', 'domain',
  'producer', 'says', 'said', 'said_whole', 'said_cropped']);

function files(folder) {
  return readdirSync(folder, {withFileTypes: true}).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:build|node_modules|\..*)$/.test(entry.name) ? [] : files(path);
    return [path];
  });
}

const line_of = (text, at) => text.slice(0, at).split('\n').length;

function markdown(text) {
  const found = [];
  let block = [], start = 0, code = false;
  const flush = () => { if (block.length) found.push([start, block.join(' ')]); block = []; };
  text.split('\n').forEach((line, i) => {
    if (/^\s*```/.test(line)) { code = !code; flush(); return; }
    if (code || /^(?: {4}|\t|>|<!--)/.test(line) && block.length === 0 || /^\s*$/.test(line)) { flush(); return; }
    if (/^\|/.test(line)) {
      flush();
      for (const cell of line.split('|')) if (!/^[\s:-]*$/.test(cell)) found.push([i + 1, cell]);
      return;
    }
    if (/^\s*(?:[-*]|\d+\.) |^#/.test(line)) flush();
    if (block.length === 0) start = i + 1;
    block.push(line.trim().replace(/^(?:[-*]|\d+\.|#+) /, ''));
    if (/^#/.test(line)) flush();
  });
  flush();
  return found.map(([line, words]) => [line, words.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/"[^"]{1,300}"/g, '"quoted"').replace(/`[^`]*`/g, 'Code').replace(/\*\*?/g, '')]);
}

function data(text) {
  const found = [];
  let from = 0;
  const walk = (value, key) => {
    if (typeof value === 'string') {
      if (!/[a-z] [a-z]/i.test(value) || quoted.has(key)) return;
      const at = text.indexOf(JSON.stringify(value), from);
      if (at >= 0) from = at;
      found.push([line_of(text, Math.max(at, 0)), value.replace(/\{[^{}]*\}/g, 'X')]);
    } else if (Array.isArray(value)) value.forEach(one => walk(one, key));
    else if (value && typeof value === 'object') for (const [name, one] of Object.entries(value)) if (!quoted.has(name)) walk(one, name);
  };
  walk(JSON.parse(text), '');
  return found;
}

function template(text) {
  return [...text.replace(/\{\{[^}]*\}\}/g, tag => /^\{\{[#^/!>]/.test(tag) ? '' : 'X').matchAll(/(?<=>|^)[^<>]*(?:<\/?(?:a|b|em|code|i|strong|sub|sup|span|q)\b[^>]*>[^<>]*)*/g)]
    .map(found => [line_of(text, Math.min(found.index, text.length)), found[0].replace(/<[^>]*>/g, '').replace(/\s+/g, ' ').trim()])
    .filter(([, words]) => /[a-z] [a-z]/i.test(words));
}

// Literals of C++ that stand beside each other are one text.
function literals(text) {
  const found = [];
  const token = /\/\/[^\n]*|\/\*[^]*?\*\/|#include[^\n]*|'(?:[^'\\\n]|\\.)'|R"(\w*)\([^]*?\)\1"|"((?:[^"\\\n]|\\.)*)"/g;
  let words = '', line = 0, end = -1;
  const flush = () => { if (/[a-z] [a-z]/i.test(words)) found.push([line, words]); words = ''; };
  for (const match of text.matchAll(token)) {
    if (match[2] === undefined) continue;
    if (end < 0 || !/^\s*$/.test(text.slice(end, match.index).replace(/\/\/[^\n]*/g, ''))) { flush(); line = line_of(text, match.index); }
    words += match[2].replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
    end = match.index + match[0].length;
  }
  flush();
  return found.flatMap(([at, all]) => all.split('\n').map(one => [at, one.replace(/\{[^{}]*\}/g, 'X')]));
}

function python(text) {
  const found = [];
  for (const match of text.matchAll(/"""([^]*?)"""|f?"((?:[^"\\\n]|\\.)*)"|f?'((?:[^'\\\n]|\\.)*)'/g)) {
    const words = match[1] ?? match[2] ?? match[3];
    for (const part of words.split(/\n\s*\n|\n(?=\s{8})/)) {
      const told = part.replace(/\s+/g, ' ').replace(/`[^`]*`/g, 'Code').replace(/\{[^{}]*\}/g, 'X').trim();
      if (/[a-z] [a-z]/i.test(told)) found.push([line_of(text, match.index), told]);
    }
  }
  return found;
}

const readers = [
  [/^(?:README|CHANGELOG|CONTRIBUTING)\.md$|(?:^|\/)README\.md$|^reports\/manual\/.*\.md$/, markdown],
  [/\.json$/, data],
  [/^reports\/web\/templates\/.*\.mustache$/, template],
  [/\.(?:cpp|hpp|c|h)$/, literals],
  [/^reports\/bindings\/python\/vernier\/.*\.py$/, python],
];

// Abbreviations end nothing. A semicolon ends what is counted: each part of a list is read by itself.
const sentences = text => text.replace(/\s+/g, ' ').replace(/\b(e\.g|i\.e|et al|vs|cf|Eq|sec|no|p|pp)\. /g, '$1\u2024 ').replace(/(^|, |and |by |\()([A-Z])\. /g, '$1$2\u2024 ')
  .split(/(?<=[.?!]["')\]]?) (?=["'(\[]?(?:[\p{Lu}`\d]|\w+\.(?:json|cpp|hpp|py)\b|\w+(?:, \w+)*: ))/u).map(one => one.trim());

function problems_of(sentence) {
  const words = Math.max(...sentence.split(/;\s/).map(part => part.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length));
  return [...rules.filter(([, pattern]) => pattern.test(sentence)).map(([what]) => what),
    ...(words > most_words ? [`has ${words} words, expected at most ${most_words}`] : [])];
}

const args = process.argv.slice(2);
const lists_all = args[0] === '--sentences';
const [root, exceptions_file] = lists_all ? args.slice(1) : args;
if (!root) throw new Error('Usage: node style_check.mjs FOLDER [EXCEPTIONS]');
const exceptions = exceptions_file ? readFileSync(exceptions_file, 'utf8').split('\n').filter(Boolean) : [];
const used = new Set();
let judged = 0, broken = exceptions.length > most_exceptions ? 1 : 0;
if (broken) console.error(`${exceptions_file} has ${exceptions.length} lines, expected at most ${most_exceptions}`);
for (const path of files(root).sort()) {
  const name = relative(root, path);
  const read = not_ours.test(name) ? undefined : readers.find(([pattern]) => pattern.test(name))?.[1];
  if (!read) continue;
  for (const [line, text] of read(readFileSync(path, 'utf8'))) {
    for (const sentence of sentences(text)) {
      judged += 1;
      if (lists_all) { console.log(`${name}:${line}: ${sentence}`); continue; }
      const problems = problems_of(sentence);
      const exception = exceptions.find(beginning => sentence.startsWith(beginning));
      if (problems.length && exception) { used.add(exception); continue; }
      broken += problems.length;
      for (const problem of problems) console.error(`${name}:${line}: ${problem}: ${sentence}`);
    }
  }
}
for (const exception of exceptions.filter(one => !used.has(one))) {
  broken += 1;
  console.error(`${exceptions_file}: allows "${exception}", which nothing breaks any more`);
}
if (!lists_all) {
  if (judged === 0) throw new Error(`${root} holds no sentence.`);
  console.log(`${judged} sentences: ${broken} problems`);
  process.exitCode = broken === 0 ? 0 : 1;
}
