// Builds the documentation site into the CLI's package, from where the hub serves it under /docs.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Eleventy } from '@11ty/eleventy';
import { configure } from '../docs/site/configure.mjs';

const OUTPUT = 'packages/plugboard/dist/site';

// The generator finds its folders from where it is started.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
rmSync(OUTPUT, { recursive: true, force: true });
await new Eleventy('docs/site/layout', OUTPUT, { config: configure, quietMode: true }).write();
