import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../programs/', import.meta.url);
const OLDEST = [22, 19] as const;

const present = (path: string): string => {
  const file = fileURLToPath(new URL(path, folder));
  if (existsSync(file)) return file;
  throw new Error(`test/programs/${path} is missing: run \`node scripts/install-test-programs.mjs\`.`);
};

const isNewEnough = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
};

/** The Node that runs the programs of others: ours, or the one from npm where ours is too old for them. */
export const newerNode = (): string =>
  isNewEnough() ? process.execPath : present(`node_modules/node-${process.platform}-${process.arch}/bin/node`);

/** A file of a package in test/programs. */
export const programFile = (path: string): string => present(`node_modules/${path}`);

/** A file of a package in test/programs/deploy: what judges our files for deployment. */
export const deployProgramFile = (path: string): string => present(`deploy/node_modules/${path}`);
