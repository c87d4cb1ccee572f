// Bundles the CLI into one entry with a chunk per command: a start reads a few files instead of hundreds.
import { chmod, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../packages/plugboard/', import.meta.url));
const out = join(root, 'dist');

// What loads native files or worker scripts beside itself must be found in node_modules.
const external = [
  /^@photostructure\/sqlite/u,
  /^pg($|\/|-)/u,
  /^pino($|\/)/u,
  /^@modelcontextprotocol\/server-/u,
  /^node:/u,
];

for (const file of await readdir(join(out, 'chunk')).catch(() => [])) await rm(join(out, 'chunk', file));

const bundle = await rolldown({
  // From source, because the bundle takes the place of what the compiler made of main.ts.
  input: { main: join(root, 'src/main.ts') },
  resolve: { conditionNames: ['@plugboard/source', 'node', 'import', 'default'] },
  platform: 'node',
  // The floor is Node 20, which knows no `using`.
  transform: { target: 'node20' },
  external,
  logLevel: 'warn',
});
await bundle.write({
  dir: out,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk/[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
});
await bundle.close();
await chmod(join(out, 'main.js'), 0o755);
