import type { PluginView } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

const plugin: PluginView = {
  name: 'social',
  module: './social.js',
  server: null,
  state: 'ready',
  version: '1.0.0',
  description: null,
  actions: [{ name: 'post', aliases: [], required: ['text'] }],
};
const error = { code: 'CONFIG_INVALID', message: 'It does not load.', hint: 'Correct it.' } as const;

describe('plugin list', () => {
  it('shows plug-ins with their actions', async () => {
    const { code, stdout } = await runFake(['plugin', 'list'], { answers: { '/v1/plugins': [plugin] } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/social\s+ready\s+–\s+post\s+\.\/social\.js/u);
    expect((await runFake(['plugin', 'list', '-q'], { answers: { '/v1/plugins': [plugin] } })).stdout).toBe('social\n');
  });

  it('fails when one of them does, and says why', async () => {
    const failing = { ...plugin, state: 'failing', actions: [], error };
    const { code, stderr } = await runFake(['plugin', 'list'], { answers: { '/v1/plugins': [failing] } });
    expect(code).toBe(1);
    expect(stderr).toContain('It does not load.');
  });

  it('says how to name one', async () => {
    expect((await runFake(['plugin', 'list'])).stderr).toContain('Add one to `plugins` in plugboard.json');
  });
});

describe('plugin run', () => {
  const outcome = { request_id: 'r', timestamp: '2026-01-02T03:04:05.000Z', status: 'success', metadata: {} };
  const run = (members: object, ...argv: readonly string[]) =>
    runFake(['plugin', 'run', 'social', 'post', ...argv], {
      answers: { '/v1/plugins/social/run': { ...outcome, ...members } },
    });

  it('hands over parameters and prints what came of them', async () => {
    const { code, stdout, hub } = await run({ data: { id: 7 } }, '-a', 'text=hello', '-a', 'times:=2');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ id: 7 });
    expect(hub.seen.at(-1)?.body).toEqual({ action: 'post', parameters: { text: 'hello', times: 2 } });
    expect((await run({ data: 'plain text' })).stdout).toContain('plain text');
  });

  it('fails with the error of the plug-in', async () => {
    const { code, stderr } = await run({ status: 'error', error });
    expect(code).toBe(1);
    expect(stderr).toContain('It does not load.');
  });
});
