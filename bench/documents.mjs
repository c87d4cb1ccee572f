// How much of 60 real files survives, beside pandoc, pdftotext and tesseract where they are installed.
// Build first: npm run build; then: node bench/documents.mjs. With --record the scores become the floor that a test holds.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert } from '../packages/servers/dist/documents/convert/convert.js';
import { DEFAULT_LIMITS } from '../packages/servers/dist/documents/limits.js';
import { PARTS, scoreMarkdown } from './documents/score-markdown.mjs';

const folder = join(import.meta.dirname, 'documents');
const corpus = join(folder, 'corpus');
const ocr = { languages: ['eng'], maxPages: 10, maxMs: 60_000 };

const isInstalled = (program) => spawnSync(program, ['--version']).error === undefined;
const run = (program, args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const PEERS = [
  {
    name: 'pandoc',
    reads: /\.(?:docx|odt|rtf|epub|html|ipynb|csv)$/u,
    read: (file) => run('pandoc', ['-t', 'gfm+tex_math_dollars', '--wrap=none', file]),
  },
  { name: 'pdftotext', reads: /\.pdf$/u, read: (file) => run('pdftotext', ['-layout', file, '-']) },
  { name: 'tesseract', reads: /\.(?:png|jpg|tiff)$/u, read: (file) => run('tesseract', [file, '-']) },
].filter(({ name }) => isInstalled(name));

const percent = (value) => (value === undefined ? '    –' : (value * 100).toFixed(1).padStart(5));
const show = (name, score) =>
  console.log(`${name.padEnd(38)} ${PARTS.map((part) => percent(score[part])).join('  ')}  ${percent(score.score)}`);

const recorded = {};
const sums = new Map();
const add = (name, value) => {
  const { total, count } = sums.get(name) ?? { total: 0, count: 0 };
  sums.set(name, { total: total + value, count: count + 1 });
};

console.log(`${''.padEnd(38)} ${PARTS.map((part) => part.slice(0, 5).padStart(5)).join('  ')}  score`);
for (const file of readdirSync(corpus).sort()) {
  const path = join(corpus, file);
  const expected = readFileSync(join(folder, 'expected', `${file.split(/[.-]/u)[0]}.md`), 'utf8');
  const { text } = await convert(
    {
      bytes: new Uint8Array(readFileSync(path)),
      hints: { fileName: file },
      output: 'markdown',
      tables: true,
      images: false,
      ocr,
      limits: DEFAULT_LIMITS,
    },
    () => undefined,
  );
  const score = scoreMarkdown(expected, text);
  recorded[file] = Math.floor(score.score * 10_000) / 10_000;
  show(file, score);
  for (const peer of PEERS.filter(({ reads }) => reads.test(file))) {
    const other = scoreMarkdown(expected, peer.read(path));
    show(`  ${peer.name}`, other);
    add(peer.name, other.score);
    add(`this server, where ${peer.name} reads too`, score.score);
  }
  add('this server, all files', score.score);
}
console.log();
for (const [name, { total, count }] of sums) {
  console.log(`${name.padEnd(44)} ${percent(total / count)}  (${count} files)`);
}
if (process.argv.includes('--record')) {
  writeFileSync(join(folder, 'floors.json'), `${JSON.stringify(recorded, null, 2)}\n`);
}
