import { RPC_CODE } from '@plugboard/wire';
import { expect, it } from 'vitest';
import { McpProtocolError } from '../error/error-family.js';
import { withFreshTool } from './fresh-tool.js';

const mismatch = new McpProtocolError('UPSTREAM_PROTOCOL', 'Header mismatch.', {
  delivery: 'not-executed',
  rpc: { code: RPC_CODE.headerMismatch, message: 'Header mismatch.' },
});
const fresh = { name: 'echo', description: 'now' };

const send = (first: () => Promise<unknown>) => {
  const sent: unknown[] = [];
  const call = withFreshTool('echo', async () => [{ name: 'other' }, fresh], {
    first: () => {
      sent.push('first');
      return first();
    },
    again: async (tool) => {
      sent.push(tool);
      return 'second answer';
    },
  });
  return { call, sent };
};

it('sends once when the headers fit', async () => {
  const { call, sent } = send(async () => 'answer');
  expect(await call).toBe('answer');
  expect(sent).toEqual(['first']);
});

it('sends again with the new definition when they do not', async () => {
  const { call, sent } = send(() => Promise.reject(mismatch));
  expect(await call).toBe('second answer');
  expect(sent).toEqual(['first', fresh]);
});

it('passes other failures on', async () => {
  const { call, sent } = send(() => Promise.reject(new Error('no')));
  await expect(call).rejects.toThrow('no');
  expect(sent).toEqual(['first']);
});
