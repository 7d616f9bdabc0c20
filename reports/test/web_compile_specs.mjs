// Compiles and runs every chart of a folder's pages as the driver does, and takes each warning for an error: a specification
// that breaks the schema, a data set that is missing, a value that a scale has no place for, a part that is not in the bundle.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import Ajv from 'ajv';
import * as encode from 'vega-encode';
import {expressionInterpreter} from 'vega-interpreter';
import {compile} from 'vega-lite';
import * as dataTransforms from 'vega-transforms';
import * as viewTransforms from 'vega-view-transforms';
import {chartSpecs, conclude, readPages, requireFolder} from './web_pages.mjs';
import {theme} from './theme.mjs';
import {parse, View} from './vega_subset.mjs';

// Charts listen to the resizing of a window; here there is none.
globalThis.window = new EventTarget();

const schemaFile = createRequire(import.meta.url).resolve('vega-lite/vega-lite-schema.json');
const obeysSchema = new Ajv({strict: false, logger: false}).compile(JSON.parse(readFileSync(schemaFile, 'utf8')));
const bundled = new Set(Object.keys({...encode, ...dataTransforms, ...viewTransforms}).map(name => name.toLowerCase()));

function collector(problems) {
  const logger = {
    level: () => logger,
    error: (...words) => (problems.push(words.join(' ')), logger),
    warn: (...words) => (problems.push(words.join(' ')), logger),
    info: () => logger,
    debug: () => logger
  };
  return logger;
}

function* transformsIn(value) {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value.transform)) yield* value.transform.map(({type}) => type);
  for (const part of Object.values(value)) yield* transformsIn(part);
}

async function problemsOf(spec) {
  const problems = [];
  if (!obeysSchema(spec)) {
    problems.push(...obeysSchema.errors.slice(0, 8).map(({instancePath, message}) => `${instancePath} ${message}`));
  }
  if (!spec.description) problems.push('has no description');
  const logger = collector(problems);
  try {
    const program = compile(spec, {config: theme, logger}).spec;
    for (const type of new Set(transformsIn(program.marks.concat(program.data)))) {
      if (!bundled.has(type.toLowerCase())) problems.push(`needs the transform ${type}, which is not in the bundle`);
    }
    const view = new View(parse(program, null, {ast: true}), {expr: expressionInterpreter, logger, renderer: 'none'});
    await view.runAsync();
  } catch (error) {
    problems.push(String(error));
  }
  return problems;
}

const charts = readPages(requireFolder()).flatMap(chartSpecs);
const problems = [];
for (const {chart, spec} of charts) problems.push(...(await problemsOf(spec)).map(text => `${chart}: ${text}`));
conclude(problems, `${charts.length} charts`);
