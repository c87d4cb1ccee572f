import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = resolve(import.meta.dirname, '../../examples/walkthrough/run.mjs');

it('does every task of the walkthrough', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 110_000 });
  expect(stdout.match(/^✓ /gmu)).toHaveLength(11);
});
