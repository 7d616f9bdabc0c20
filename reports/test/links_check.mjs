// Checks the links of the Markdown documents of a repository: every relative one leads to a file that exists, and to a heading
// of that file if it names one.
// Usage: node links_check.mjs FOLDER
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';

function documents(folder) {
  return readdirSync(folder, {withFileTypes: true}).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(build|node_modules|\..*)$/.test(entry.name) ? [] : documents(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const withoutCode = text => text.replace(/^( {4}|\t).*$/gm, '').replace(/```[^]*?```/g, '').replace(/`[^`]*`/g, '');

// GitHub's ids of the headings.
function ids(path) {
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
  return headings.map(text => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-'));
}

function problemsOf(path, root) {
  const targets = [...withoutCode(readFileSync(path, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets.filter(target => !/^[a-z]+:/i.test(target)).flatMap(target => {
    const [file, id] = target.split('#');
    const there = file ? resolve(dirname(path), file) : path;
    const problem = !existsSync(there) ? 'which does not exist'
      : id && !(statSync(there).isFile() && ids(there).includes(id)) ? 'a heading that does not exist' : null;
    return problem ? [`${relative(root, path)}: links to ${target}, ${problem}`] : [];
  });
}

const root = process.argv[2];
if (!root) throw new Error('Usage: node links_check.mjs FOLDER');
const paths = documents(root);
if (paths.length === 0) throw new Error(`${root} holds no document.`);
const problems = paths.flatMap(path => problemsOf(path, root));
for (const problem of problems) console.error(problem);
console.log(`${paths.length} documents: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
