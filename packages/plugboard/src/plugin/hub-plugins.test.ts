import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlugboardError, toErrorEnvelope } from '@plugboard/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quietLogger } from '../log/quiet-logger.js';
import type { DeclaredPlugin } from '../settings/plugin-settings.js';
import { HubPlugins } from './hub-plugins.js';
import { serverToolCaller } from './server-tool-caller.js';

const never = new AbortController().signal;

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-plugins-'));
});
afterAll(() => rm(home, { recursive: true }));

const declared = (name: string, members: Partial<DeclaredPlugin> = {}): DeclaredPlugin => ({
  name,
  module: `./${name}.mjs`,
  beside: join(home, 'plugboard.json'),
  server: undefined,
  options: {},
  env: [],
  deadlineMs: 5000,
  ...members,
});

describe('plug-ins', () => {
  it('that do not load are shown as failing, and say why', async () => {
    await writeFile(join(home, 'empty.mjs'), 'export const nothing = 1;\n');
    await using plugins = new HubPlugins({
      plugins: [
        declared('missing'),
        declared('empty', { server: 'files' }),
        declared('package', { module: 'no-such-package' }),
      ],
      environment: {},
      serverTools: () => {
        throw new Error('unused');
      },
      log: quietLogger,
    });
    const views = await plugins.list(never);
    expect(views.map(({ name, state }) => [name, state])).toEqual([
      ['missing', 'failing'],
      ['empty', 'failing'],
      ['package', 'failing'],
    ]);
    expect(views[0]?.error).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await plugins.list(never, 'files')).toHaveLength(1);
    await expect(plugins.run('unknown', { action: 'x' }, never)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the tools of a server for a plug-in', () => {
  const asked: unknown[] = [];
  const caller = (status: number, body: unknown) =>
    serverToolCaller(
      {
        answer: async ({ method, segments, body: sent }) => {
          asked.push([method, segments.join('/'), sent]);
          return { status, headers: {}, body: JSON.stringify(body) };
        },
      },
      'files',
    );

  it('are listed and called through the gateway', async () => {
    expect(await caller(200, [{ name: 'a' }]).listTools()).toEqual([{ name: 'a' }]);
    const content = [{ type: 'text', text: 'x' }];
    expect(await caller(200, { content }).callTool('a', { b: 1 }, { deadlineMs: 1000 })).toMatchObject({ content });
    expect(asked).toEqual([
      ['GET', 'servers/files/tools', ''],
      ['POST', 'servers/files/tools/a', '{"b":1}'],
    ]);
    await caller(200, []).dispose();
  });

  it('fail as the gateway does', async () => {
    const refusal = toErrorEnvelope(new PlugboardError('TOOL_NOT_FOUND', 'No such tool.'));
    await expect(caller(404, refusal).callTool('a', {})).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
    await expect(caller(200, 'no list').listTools()).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});
