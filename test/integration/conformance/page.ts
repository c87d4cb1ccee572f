import { fileURLToPath } from 'node:url';
import type { Fixture } from './cell.js';
import type { Revision } from './run-suite.js';

const FOLDER = new URL('../../../docs/conformance/', import.meta.url);

/** The file of a published table. */
export const pageOf = (fixture: Fixture, revision: Revision): string =>
  fileURLToPath(new URL(`${fixture}-${revision}.md`, FOLDER));
