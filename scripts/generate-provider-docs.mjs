/** Writes docs/provider-compatibility.md from the corpus. Build first: this reads the built package. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { renderProviderDocs } from '@plugboard/schema';

const ROOT = path.join(import.meta.dirname, '..');
const CORPUS = path.join(ROOT, 'packages', 'schema', 'corpus');

const files = (await readdir(CORPUS)).filter((file) => file.endsWith('.json'));
const servers = await Promise.all(
  files.map(async (file) => JSON.parse(await readFile(path.join(CORPUS, file), 'utf8'))),
);
const page = path.join(ROOT, 'docs', 'provider-compatibility.md');
await writeFile(page, renderProviderDocs(servers));
console.log(`docs/provider-compatibility.md: ${servers.length} servers`);
