import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openRecordingFile } from './recording-file.js';

const options = { force: false, hint: 'Choose another.' };

it('writes a new file for its owner, and does not overwrite it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-recording-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'a.jsonl');
  const file = await openRecordingFile(path, options);
  file.write('one\n');
  file.write('two\n');
  expect(await file.close()).toBeUndefined();
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await expect(openRecordingFile(path, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

// Linux has a disk that is always full.
it.runIf(existsSync('/dev/full'))('goes on when the disk is full, and says so at the end', async () => {
  const file = await openRecordingFile('/dev/full', { ...options, force: true });
  for (let line = 0; line < 100; line += 1) {
    file.write('x'.repeat(1000));
    await turn();
  }
  expect(await file.close()).toBe('The disk is full.');
  expect(await file.close()).toBe('The disk is full.');
});
