// Runs every benchmark, or those named: `npm run bench -- schema`. Each prints ratios measured side by side.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => basename(file, '.mjs'));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  process.exit(2);
}
let failed = 0;
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n# ${name}\n`);
  failed += spawnSync(process.execPath, [join(folder, `${name}.mjs`)], { stdio: 'inherit' }).status === 0 ? 0 : 1;
}
process.exitCode = failed === 0 ? 0 : 1;
