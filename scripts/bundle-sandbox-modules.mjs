// Bundles the libraries that code in the sandbox may import, each into one file without imports of its own.
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const require = createRequire(import.meta.url);
const entries = fileURLToPath(new URL('sandbox-modules/', import.meta.url));
const out = fileURLToPath(new URL('../packages/servers/dist/sandbox/modules/', import.meta.url));

const PACKAGES = { lodash: 'lodash-es' };
const bannerOf = (name) => {
  const { name: full, version, license } = require(`${PACKAGES[name] ?? name}/package.json`);
  return `/*! ${full} ${version}, ${license} */`;
};

for (const file of await readdir(entries)) {
  const name = basename(file, '.mjs');
  const bundle = await rolldown({ input: join(entries, file), platform: 'browser', logLevel: 'warn' });
  await bundle.write({ file: join(out, `${name}.js`), format: 'esm', minify: true, banner: bannerOf(name) });
  await bundle.close();
}
