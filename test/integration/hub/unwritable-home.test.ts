import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runHub } from '../../../packages/plugboard/src/serve/run-hub.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCall } from '../../support/hub-call.js';
import { freshSettings } from '../../../packages/plugboard/src/test-support/fresh-settings.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

it('a hub that cannot leave its note for the CLI serves clients all the same, and says so', async () => {
  // A directory in its place stops the note as a full or read-only disk does, for the superuser as well.
  await mkdir(join(home, 'hub.json'));
  const stop = new AbortController();
  const process = fakeProcess(['serve'], { signal: stop.signal });
  let log = '';
  process.rawStderr.on('data', (part: Buffer) => (log += String(part)));
  const running = runHub(freshSettings(home), process);
  try {
    const url = (): string | undefined => /http:\/\/\S+:\d+/u.exec(process.written.stdout)?.[0];
    await Promise.race([running, vi.waitUntil(url, { timeout: 20_000 })]);
    expect((await hubCall(url() ?? '', 'GET', '/health')).status).toBe(200);
    await expect.poll(() => log, { timeout: 20_000 }).toContain('hub.json cannot be written');
    expect((await readdir(home)).filter((name) => name.startsWith('hub.json.'))).toEqual([]);
  } finally {
    stop.abort();
    await running;
  }
});
