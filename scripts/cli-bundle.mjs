// How the CLI is bundled: one entry with a chunk per command, because a start reads a few files instead of hundreds.
import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { lateLibraries, libraryBundles } from './late-libraries.mjs';

const root = fileURLToPath(new URL('../packages/plugboard/', import.meta.url));
const out = join(root, 'dist');

// What loads native files or worker scripts beside itself must be found in node_modules.
const external = [/^@photostructure\/sqlite/u, /^pg($|\/|-)/u, /^@modelcontextprotocol\/server-/u, /^node:/u];

/** hdr-histogram-js looks for zlib with `eval` and falls back to pako; nobody who builds can change that. */
const isKnownWarning = ({ code, id = '', loc }) => code === 'EVAL' && /hdr-histogram-js/u.test(loc?.file ?? id);

/** Chunks of earlier bundles have other names and would stay. */
export const removeChunks = async (directory = out) => {
  for (const file of await readdir(join(directory, 'chunk')).catch(() => [])) await rm(join(directory, 'chunk', file));
};

export const entry = join(out, 'main.js');

/** Where `npm run dev` puts its bundle: beside the build, which programs under test may be running. */
export const devDirectory = join(root, '.dev');

export const input = {
  // From source, because the bundle takes the place of what the compiler made of main.ts.
  input: { main: join(root, 'src/main.ts') },
  resolve: { conditionNames: ['@plugboard/source', 'node', 'import', 'default'] },
  platform: 'node',
  // The floor is Node 20, which knows no `using`.
  transform: { target: 'node20' },
  cwd: root,
  external,
  plugins: [lateLibraries],
  // Importing one of our own modules does nothing; only the entry acts.
  treeshake: { moduleSideEffects: [{ test: /packages\/[^/]+\/src\/(?!main\.ts)/u, sideEffects: false }] },
  logLevel: 'warn',
  onLog: (level, log, handle) => {
    if (!isKnownWarning(log)) handle(level, log);
  },
};

export const output = {
  dir: out,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk/[name]-[hash].js',
  // What every command needs is one file: opening many small ones costs more than reading one.
  codeSplitting: {
    groups: [
      {
        name: 'core',
        test: /packages\/(?:base|contract)\/src|packages\/plugboard\/src\/(?:terminal|hub-api|program|render|settings|version)|node_modules\/(?:zod|commander)\//u,
      },
    ],
  },
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
};

/** A thread that needs little of it, and does something when it is loaded: a bundle of its own, where the hub looks for it. */
export const threadInput = {
  ...input,
  input: { 'large-answer-entry': join(root, '../gateway/src/answer-thread/large-answer-entry.ts') },
  plugins: [],
  treeshake: { moduleSideEffects: [{ test: /packages\/[^/]+\/src\/(?!.*-entry\.ts)/u, sideEffects: false }] },
};

export const threadOutput = {
  dir: join(out, 'answer-thread'),
  format: output.format,
  entryFileNames: output.entryFileNames,
  minify: output.minify,
};

/** The libraries that the hub loads when it first uses them. */
export const libraries = libraryBundles(root, out);
