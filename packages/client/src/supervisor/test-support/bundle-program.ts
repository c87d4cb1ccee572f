import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export interface BundledProgram extends AsyncDisposable {
  readonly path: string;
}

/** A program of this folder as one file that plain node runs: for parents that a test kills. */
export const bundleProgram = async (name: string): Promise<BundledProgram> => {
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-program-'));
  const path = join(directory, 'program.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL(name, import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['@plugboard/source', 'node', 'import', 'default'] },
    transform: { target: 'node20' },
    logLevel: 'silent',
  });
  await bundle.write({ file: path, format: 'esm', codeSplitting: false });
  await bundle.close();
  return { path, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
};
