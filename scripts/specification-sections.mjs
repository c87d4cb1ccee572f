// Regenerates test/specification/sections.json: the text of every section of the specification that a check cites; and
// since.json: since which legacy revision each sentence stands in the text, where that is not the first one.
// Usage: node scripts/specification-sections.mjs <directory of a clone of modelcontextprotocol/modelcontextprotocol>
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { CHECKS } from '../packages/check/dist/index.js';
import { citationOf, plainText, sectionOf } from '../test/specification/text.mjs';

const [clone] = process.argv.slice(2);
if (clone === undefined) {
  console.error('Give the directory of a clone of the specification.');
  process.exit(2);
}

const file = (path) => {
  try {
    return execFileSync('git', ['-C', clone, 'show', `HEAD:${path}`], {
      encoding: 'utf8',
      maxBuffer: 1e8,
      stdio: 'pipe',
    });
  } catch {
    return undefined;
  }
};

const pageOf = ({ revision, page }) => {
  const folder = `docs/specification/${revision}/${page}`;
  const text = file(`${folder}.mdx`) ?? file(`${folder}/index.mdx`);
  if (text === undefined) throw new Error(`There is no page ${revision}/${page}.`);
  return text;
};

const sources = CHECKS.flatMap(({ source }) => ('sentence' in source ? [source] : [source.legacy, source.modern]));
const sections = new Map();
const LONG = 6_000;
const AROUND = 800;

/** Of a long section what is around the citation: enough to see what it is about. */
const excerpt = (text, sentence) => {
  if (text.length <= LONG) return [text];
  const low = text.toLowerCase();
  return sentence.split('[…]').flatMap((part) => {
    const found = low.indexOf(plainText(part).toLowerCase());
    return found === -1 ? [] : [text.slice(Math.max(0, found - AROUND), found + part.length + AROUND)];
  });
};

for (const { url, sentence } of sources) {
  const citation = citationOf(url);
  if (citation === undefined) continue;
  const key = `${citation.revision}/${citation.page}#${citation.anchor}`;
  const text = plainText(sectionOf(pageOf(citation), citation.anchor));
  sections.set(key, [...new Set([...(sections.get(key) ?? []), ...excerpt(text, sentence)])]);
}
mkdirSync('test/specification', { recursive: true });
const sorted = Object.fromEntries(
  [...sections].toSorted(([one], [two]) => one.localeCompare(two)).map(([key, texts]) => [key, texts.join(' … ')]),
);
writeFileSync('test/specification/sections.json', `${JSON.stringify(sorted, null, 2)}\n`);
console.log(`${sections.size} sections.`);

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const wordsOf = (revision) => {
  const listed = execFileSync('git', [
    '-C',
    clone,
    'ls-tree',
    '-r',
    '--name-only',
    'HEAD',
    `docs/specification/${revision}`,
  ]);
  const pages = listed
    .toString()
    .split('\n')
    .filter((path) => /\.mdx?$/u.test(path));
  return plainText(pages.map(file).join('\n')).toLowerCase();
};
const texts = new Map(LEGACY.map((revision) => [revision, wordsOf(revision)]));
const stands = (sentence, revision) =>
  sentence.split('[…]').every((part) => texts.get(revision).includes(plainText(part).toLowerCase()));

const since = {};
for (const { url, sentence } of sources) {
  if (citationOf(url)?.revision !== '2025-11-25') continue;
  const first = LEGACY.find((revision) => stands(sentence, revision));
  if (first !== undefined && first !== LEGACY[0]) since[sentence] = first;
}
writeFileSync('test/specification/since.json', `${JSON.stringify(since, undefined, 2)}\n`);
