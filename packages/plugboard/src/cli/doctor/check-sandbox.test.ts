import type { ServerView } from '@plugboard/contract';
import { expect, it } from 'vitest';
import type { Settings } from '../../settings/settings.js';
import { checkSandbox } from './check-sandbox.js';

const settings = (sandbox: 'optional' | 'required'): Settings =>
  ({ home: '/h', masterKey: { from: 'environment' }, processes: { sandbox } }) as unknown as Settings;
const servers = [
  { server_name: 'free', mcp_server_type: 'stdio' },
  { server_name: 'kept', mcp_server_type: 'stdio', sandbox: true },
] as unknown as readonly ServerView[];
const works = {
  mechanism: async () => ({ found: { name: 'bwrap' as const, path: '/usr/bin/bwrap', argumentsFor: () => [] } }),
};
const lacks = {
  mechanism: async () => ({ found: undefined, missing: [{ name: 'bwrap' as const, why: 'not installed' }] }),
};

it('says which mechanism works and which servers use it', async () => {
  expect(await checkSandbox(settings('optional'), servers, works)).toMatchObject({
    verdict: 'ok',
    message: 'bwrap works (/usr/bin/bwrap); used by kept',
  });
  expect((await checkSandbox(settings('optional'), servers.slice(0, 1), works)).message).toContain(
    'no program uses it',
  );
  expect((await checkSandbox(settings('required'), [], works)).message).toContain('every program runs in one');
});

it('says that there is none, which is a problem only for those that need one', async () => {
  expect(await checkSandbox(settings('optional'), [], lacks)).toMatchObject({
    verdict: 'ok',
    message: 'programs cannot run in one here (bwrap: not installed); none has to',
  });
  const needed = await checkSandbox(settings('optional'), servers, lacks);
  expect(needed).toMatchObject({ verdict: 'problem', fix: expect.stringContaining('bubblewrap') as string });
  expect(needed.message).toContain('used by kept');
});
