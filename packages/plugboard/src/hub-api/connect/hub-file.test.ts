import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHubFile, removeHubFile, writeHubFile } from './hub-file.js';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-home-'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const content = { pid: 12, url: 'http://127.0.0.1:2091', started_at: '2026-11-01T00:00:00.000Z' };

describe('the note of a running hub', () => {
  it('is for its owner only, and reads back', async () => {
    await writeHubFile(home, content);
    expect(await readHubFile(home)).toEqual(content);
    expect((await stat(join(home, 'hub.json'))).mode & 0o777).toBe(0o600);
  });

  it('is removed only by the hub that wrote it', async () => {
    await writeHubFile(home, content);
    await removeHubFile(home, 99);
    expect(await readHubFile(home)).toEqual(content);
    await removeHubFile(home, 12);
    expect(await readHubFile(home)).toBeUndefined();
    await removeHubFile(home, 12);
  });

  it.each(['', '{', '{"pid":"x"}', '[]'])('counts as absent when it holds %j', async (text) => {
    await writeFile(join(home, 'hub.json'), text);
    expect(await readHubFile(home)).toBeUndefined();
  });
});
