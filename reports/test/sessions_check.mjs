// Runs what a Markdown document shows: in an indented block that begins with "$ ", each line "$ COMMAND" is run by bash, in a new
// folder, one after another, and the lines below it must be among what it prints, in this order ("..." stands for any lines).
// "$ cat FILE" writes the lines below it into FILE.
// Usage: node sessions_check.mjs DOCUMENT PROGRAM_FOLDER...: these folders come first on PATH.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join, resolve} from 'node:path';

// [{command, lines}] of the blocks that are sessions.
function steps(text) {
  const blocks = text.split(/^(?! {4}|$)/m).map(block => block.split('\n').filter(line => line.startsWith('    ')));
  return blocks.map(lines => lines.map(line => line.slice(4))).filter(lines => lines[0]?.startsWith('$ ')).flatMap(lines => {
    const found = [];
    for (const line of lines) {
      if (line.startsWith('$ ')) found.push({command: line.slice(2), lines: []});
      else found.at(-1).lines.push(line);
    }
    return found;
  });
}

// The first line that is not printed after those before it; nothing if all are.
function missing(lines, printed) {
  let from = 0;
  for (const line of lines.filter(line => line.trim() !== '...')) {
    const at = printed.indexOf(line, from);
    if (at < 0) return line;
    from = at + 1;
  }
  return undefined;
}

const [document, ...folders] = process.argv.slice(2);
if (!document) throw new Error('Usage: node sessions_check.mjs DOCUMENT PROGRAM_FOLDER...');
const session = steps(readFileSync(document, 'utf8'));
if (session.length === 0) throw new Error(`${document} shows no session.`);
const folder = mkdtempSync(join(tmpdir(), 'vernier-session-'));
try {
  for (const {command, lines} of session) {
    const file = /^cat (\S+)$/.exec(command)?.[1];
    if (file) {
      writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
      continue;
    }
    const env = {...process.env, PATH: [...folders.map(name => resolve(name)), process.env.PATH].join(delimiter)};
    const {stdout, stderr} = spawnSync('bash', ['--norc', '-c', command], {cwd: folder, env, encoding: 'utf8'});
    const line = missing(lines, (stdout + stderr).split('\n').map(text => text.trimEnd()));
    if (line === undefined) continue;
    console.error(`${document}: $ ${command}\ndoes not print\n${line}\nbut\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
  console.log(`${session.length} commands: ${process.exitCode ? 'some print something else' : 'all print what is shown'}`);
} finally {
  rmSync(folder, {recursive: true});
}
