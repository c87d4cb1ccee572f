// Builds the documentation site into the CLI's package, from where the hub serves it under /docs.
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Eleventy } from '@11ty/eleventy';

const root = fileURLToPath(new URL('..', import.meta.url));
const input = `${root}docs/site/input`;
const output = `${root}packages/plugboard/dist/site`;

process.chdir(root);
rmSync(output, { recursive: true, force: true });
mkdirSync(input, { recursive: true });
const site = new Eleventy('docs/site/input', 'packages/plugboard/dist/site', {
  configPath: 'docs/site/eleventy.config.mjs',
  quietMode: true,
});
await site.write();
