import { readFileSync } from 'node:fs';

/** What code may import, each bundled into one file by `scripts/bundle-sandbox-modules.mjs`. */
export const BUNDLED_MODULES = ['buffer', 'date-fns', 'lodash', 'papaparse', 'yaml', 'zod'] as const;

// The built files, seen alike from src and from dist.
const FOLDER = new URL('../../../dist/sandbox/modules/', import.meta.url);
const ALIASES: Readonly<Record<string, string>> = { 'node:buffer': 'buffer', 'lodash-es': 'lodash' };

/** The source of a module. An unknown one is a module that says so: a loader that threw would show the host's stack. */
export const moduleSource = (name: string): string => {
  const wanted = ALIASES[name] ?? name;
  const known = BUNDLED_MODULES.find((one) => one === wanted);
  if (known !== undefined) return readFileSync(new URL(`${known}.js`, FOLDER), 'utf8');
  const message = `There is no module "${name}" in the sandbox. Available: ${BUNDLED_MODULES.join(', ')}.`;
  return `throw new Error(${JSON.stringify(message)})`;
};
