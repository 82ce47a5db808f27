// The JSON schemas of the Model Context Protocol's revisions, out of the conformance suite,
// which carries them as object literals: node deps/mcp-schemas.mjs SUITE/dist/index.js DIR
// Writes DIR/REVISION.json; says which revisions it found. No code of the suite is run.
import fs from 'node:fs';
import vm from 'node:vm';

const [, , bundle, folder] = process.argv;
const text = fs.readFileSync(bundle, 'utf8');

// The end of the literal that begins at `at`, strings passed over.
function endOf(at) {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const c = text[i];
    if (c === '`' || c === '"' || c === "'") {
      for (i++; text[i] !== c; i++) if (text[i] === '\\') i++;
    } else if (c === '{' || c === '[') {
      depth++;
    } else if ((c === '}' || c === ']') && --depth === 0) {
      return i + 1;
    }
  }
  throw new Error('a literal does not end');
}

// What tells the revisions apart, newest first.
function revisionOf(names) {
  if (names.has('DiscoverResult')) return '2026-07-28';
  if (names.has('CreateTaskResult') || names.has('Icon')) return '2025-11-25';
  if (names.has('ResourceLink')) return '2025-06-18';
  if (names.has('JSONRPCBatchRequest')) return '2025-03-26';
  return '2024-11-05';
}

const found = [];
const mark = /=\{\$schema:`https?:\/\/json-schema\.org\/draft[^`]*`,(\$defs|definitions):/g;
for (let match; (match = mark.exec(text));) {
  const begin = match.index + 1;
  const value = vm.runInNewContext(`(${text.slice(begin, endOf(begin))})`, {}, { timeout: 5000 });
  const names = new Set(Object.keys(value.$defs ?? value.definitions));
  const revision = revisionOf(names);
  fs.writeFileSync(`${folder}/${revision}.json`, JSON.stringify(value));
  found.push(revision);
}
console.log(found.sort().join(' '));
