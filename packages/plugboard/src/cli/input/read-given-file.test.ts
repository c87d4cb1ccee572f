import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readGivenFile } from './read-given-file.js';

const here = fileURLToPath(import.meta.url);

test('returns the text of the file', async () => {
  await expect(readGivenFile(here)).resolves.toContain('returns the text of the file');
});

test('names the file as it was given when it cannot be read', async () => {
  await expect(readGivenFile(join(here, 'missing.json'), 'missing.json')).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'The file missing.json cannot be read.',
    hint: 'Check the path and its permissions.',
  });
});
