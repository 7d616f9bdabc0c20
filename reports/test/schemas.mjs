// The schemas of the documents that the program writes.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';

// A validator of the schema of that name. `folders`: joined by a colon.
export function readSchema(folders, name) {
  const file = folders.split(':').map(place => join(place, name)).find(existsSync);
  if (!file) throw new Error(`${folders} hold no ${name}.`);
  const ajv = new Ajv2020({allErrors: true, allowUnionTypes: true, strictTypes: false, strictRequired: false});
  return ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
}

export function errorsOf(validator) {
  return (validator.errors ?? []).slice(0, 4).map(({instancePath, message}) => `${instancePath} ${message}`).join('; ');
}
