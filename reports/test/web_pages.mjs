// The pages of a folder, for the checks that read them.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

export function readPages(folder) {
  const names = readdirSync(folder).filter(name => name.endsWith('.html')).sort();
  if (names.length === 0) throw new Error(`${folder} holds no page.`);
  return names.map(name => ({name, text: readFileSync(join(folder, name), 'utf8')}));
}

export function requireFolder() {
  const folder = process.argv[2];
  if (!folder) throw new Error(`Usage: node ${process.argv[1]} FOLDER`);
  return folder;
}

// Prints what was found and sets the exit status.
export function conclude(problems, checked) {
  for (const problem of problems) console.error(problem);
  console.log(`${checked}: ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
