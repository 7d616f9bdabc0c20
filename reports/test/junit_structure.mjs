// What is wrong with a JUnit file: XML that is not well-formed (XML 1.0, without declarations, comments and CDATA, which the
// writer does not use), elements out of place, attributes that readers need and do not find, counts that do not agree.

const children = {
  '': ['testsuites'],
  testsuites: ['testsuite'],
  testsuite: ['properties', 'testcase'],
  properties: ['property'],
  property: [],
  testcase: ['properties', 'failure', 'error', 'skipped'],
  failure: [],
  error: [],
  skipped: []
};
const attributes = {
  testsuites: ['name', 'tests', 'failures', 'errors'],
  testsuite: ['name', 'tests', 'failures', 'errors', 'skipped'],
  property: ['name', 'value'],
  testcase: ['classname', 'name'],
  failure: ['message', 'type'],
  error: ['message', 'type'],
  skipped: ['message']
};

const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const reference = /&(?!(?:amp|lt|gt|quot|apos);)/;

function isText(text) {
  return !/[<]/.test(text) && !reference.test(text) && !text.includes(']]>');
}

// The tree of elements, or an error.
function parse(text) {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!text.startsWith(declaration)) throw new Error('has no XML declaration');
  if (forbidden.test(text)) throw new Error('holds a character that XML cannot hold');
  const root = {name: '', children: []};
  const open = [root];
  const token = /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)|</g;
  for (const [whole, closes, name, written, empty, content] of text.slice(declaration.length).matchAll(token)) {
    const current = open.at(-1);
    if (content !== undefined) {
      if (!isText(content)) throw new Error(`holds the text ${content}`);
      if (content.trim() && !['failure', 'error', 'skipped'].includes(current.name)) throw new Error(`holds text in ${current.name}`);
    } else if (name === undefined) {
      throw new Error(`holds a < that opens no element after ${current.name}`);
    } else if (closes) {
      if (current.name !== name || written || empty) throw new Error(`closes ${current.name} by ${whole}`);
      open.pop();
    } else {
      const pairs = [...written.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
      if (pairs.some(([, value]) => reference.test(value))) throw new Error(`holds an unescaped & in ${whole}`);
      if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`repeats an attribute in ${whole}`);
      const element = {name, attributes: Object.fromEntries(pairs), children: []};
      current.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('does not hold one whole element');
  return root;
}

function* structure(element) {
  for (const child of element.children) {
    if (!children[element.name].includes(child.name)) yield `has ${child.name} in ${element.name || 'the document'}`;
    else yield* structure(child);
  }
  for (const attribute of attributes[element.name] ?? []) {
    if (element.attributes[attribute] === undefined) yield `has a ${element.name} without ${attribute}`;
  }
  if (element.name === 'testcase' && element.children.filter(({name}) => name !== 'properties').length > 1) yield 'has a case that ended twice';
}

function* counts(suite) {
  const cases = suite.children.filter(({name}) => name === 'testcase');
  const ended = outcome => cases.filter(({children: parts}) => parts.some(({name}) => name === outcome)).length;
  const found = {tests: cases.length, failures: ended('failure'), errors: ended('error'), skipped: ended('skipped')};
  for (const [name, count] of Object.entries(found)) {
    if (suite.attributes[name] !== String(count)) yield `says ${suite.attributes[name]} ${name} where there are ${count}`;
  }
}

export function problemsOfJunit(text) {
  try {
    const root = parse(text);
    const broken = [...structure(root)];
    return broken.length > 0 ? broken : root.children[0].children.flatMap(suite => [...counts(suite)]);
  } catch (error) {
    return [error.message];
  }
}
