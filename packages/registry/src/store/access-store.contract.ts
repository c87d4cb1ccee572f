import { Secret, type ApiKey, type KeptAgent } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.js';

const AT = '2026-01-02T03:04:05.000Z';
const LATER = '2026-01-03T03:04:05.000Z';
const uuid = (digit: number): string => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

const sampleKey = (digit: number, changes: Partial<ApiKey> = {}): ApiKey => ({
  id: `key-${uuid(digit)}`,
  name: `key ${digit}`,
  role: 'agent',
  agent_id: null,
  server_ids: null,
  prefix: `pb_${digit}`,
  created_at: AT,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  ...changes,
});

const sampleAgent = (digit: number, changes: Partial<KeptAgent> = {}): KeptAgent => ({
  id: `agent-${uuid(digit)}`,
  name: `agent ${digit}`,
  description: null,
  variables: { API_KEY: Secret.of('value-of-the-variable') },
  server_ids: [`mcp_server-${uuid(1)}`],
  toolset_ids: [],
  allow_tool_ids: [],
  deny_tool_ids: [`tool-${uuid(2)}`],
  model: { provider: 'openai', name: 'gpt-4.1', instructions: 'Be brief.' },
  created_at: AT,
  updated_at: AT,
  ...changes,
});

/** What every store must do with keys and agents. */
export const describeAccessStore = (storeOf: () => Store): void => {
  describe('keys', () => {
    it('come back as they were put in, the oldest first', async () => {
      const { keys } = storeOf();
      const scoped = sampleKey(2, {
        agent_id: `agent-${uuid(1)}`,
        server_ids: [`mcp_server-${uuid(1)}`],
        created_at: LATER,
        expires_at: LATER,
      });
      await keys.insert({ key: scoped, hash: 'b' });
      await keys.insert({ key: sampleKey(1), hash: 'a' });
      expect(await keys.all()).toEqual([
        { key: sampleKey(1), hash: 'a' },
        { key: scoped, hash: 'b' },
      ]);
    });

    it('are revoked once, and remember their last use', async () => {
      const { keys } = storeOf();
      const { id } = sampleKey(1);
      await keys.insert({ key: sampleKey(1), hash: 'a' });
      await keys.noteUse(id, LATER);
      expect(await keys.revoke(id, AT)).toBe(true);
      expect(await keys.revoke(id, LATER)).toBe(true);
      expect(await keys.revoke(sampleKey(2).id, AT)).toBe(false);
      expect((await keys.all())[0]?.key).toMatchObject({ last_used_at: LATER, revoked_at: AT });
    });
  });

  describe('agents', () => {
    it('come back with their variables', async () => {
      const { agents } = storeOf();
      await agents.insert(sampleAgent(1));
      const all = await agents.all();
      expect(all).toEqual([{ agent: sampleAgent(1), unreadable: undefined }]);
      expect(all[0]?.agent.variables['API_KEY']?.reveal()).toBe('value-of-the-variable');
      await expect(agents.insert(sampleAgent(2, { name: 'agent 1' }))).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('are changed in one step', async () => {
      const { agents } = storeOf();
      await agents.insert(sampleAgent(1));
      const changed = await agents.update(sampleAgent(1).id, ({ agent }) => ({ ...agent, name: 'other' }));
      expect(changed?.name).toBe('other');
      expect(changed?.variables['API_KEY']?.reveal()).toBe('value-of-the-variable');
      expect((await agents.all())[0]?.agent).toEqual(changed);
      expect(await agents.update(sampleAgent(2).id, ({ agent }) => agent)).toBeUndefined();
    });

    it('take their keys with them', async () => {
      const { agents, keys } = storeOf();
      await agents.insert(sampleAgent(1));
      await keys.insert({ key: sampleKey(1, { agent_id: sampleAgent(1).id }), hash: 'a' });
      await keys.insert({ key: sampleKey(2), hash: 'b' });
      expect(await agents.delete(sampleAgent(1).id, LATER)).toBe(true);
      expect(await agents.delete(sampleAgent(1).id, LATER)).toBe(false);
      expect(await agents.all()).toEqual([]);
      expect((await keys.all()).map(({ key }) => key.revoked_at)).toEqual([LATER, null]);
    });
  });
};
