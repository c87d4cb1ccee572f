import type { Principal } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { PendingApprovals } from './pending-approvals.js';

const asker: Principal = { id: 'key-1', role: 'operator' };
const call = { completionId: 'chatcmpl-1', callId: 'call_1', asker };
const decision = { completionId: 'chatcmpl-1', callId: 'call_1', principal: asker };
const never = new AbortController().signal;

it.each([true, false])('the one who asked decides, once: %s', async (approve) => {
  const pending = new PendingApprovals();
  const decided = pending.wait(call, never);
  pending.decide({ ...decision, approve });
  expect(await decided).toBe(approve);
  expect(() => pending.decide({ ...decision, approve })).toThrow('No call of this answer waits');
});

it('a response is named as its client sees it', async () => {
  const pending = new PendingApprovals();
  const decided = pending.wait({ ...call, completionId: '1' }, never);
  pending.decide({ ...decision, completionId: 'resp_1', approve: true });
  expect(await decided).toBe(true);
});

it('somebody else cannot decide, nor about another call', async () => {
  const pending = new PendingApprovals();
  const decided = pending.wait(call, never);
  const stranger: Principal = { id: 'key-2', role: 'admin' };
  for (const wrong of [{ principal: stranger }, { callId: 'call_2' }, { completionId: 'chatcmpl-2' }]) {
    expect(() => pending.decide({ ...decision, approve: true, ...wrong })).toThrow('No call of this answer waits');
  }
  pending.decide({ ...decision, approve: false });
  expect(await decided).toBe(false);
});

const OTHER_RIGHTS: readonly Partial<Principal>[] = [
  { role: 'agent', agent: 'agent-1' },
  { servers: ['mcp_server-1'] },
  { role: 'admin' },
];

it.each(OTHER_RIGHTS.map((rights) => ({ rights })))(
  'another token of the one who asked cannot decide: $rights',
  async ({ rights }) => {
    const pending = new PendingApprovals();
    const decided = pending.wait(call, never);
    const other: Principal = { ...asker, ...rights };
    expect(() => pending.decide({ ...decision, approve: true, principal: other })).toThrow('No call of this answer');
    pending.decide({ ...decision, approve: false });
    expect(await decided).toBe(false);
  },
);

it('no answer in time is a no', async () => {
  expect(await new PendingApprovals({ patienceMs: 1 }).wait(call, never)).toBe(false);
});

it('a client that left ends the wait', async () => {
  const controller = new AbortController();
  const pending = new PendingApprovals();
  const decided = pending.wait(call, controller.signal);
  controller.abort(new Error('the client left'));
  await expect(decided).rejects.toThrow('the client left');
  await expect(pending.wait(call, controller.signal)).rejects.toThrow('the client left');
  expect(() => pending.decide({ ...decision, approve: true })).toThrow('No call of this answer waits');
});

it('a second call with the id of one that waits is denied, and does not take its decision', async () => {
  const pending = new PendingApprovals();
  const decided = pending.wait(call, never);
  expect(await pending.wait(call, never)).toBe(false);
  pending.decide({ ...decision, approve: true });
  expect(await decided).toBe(true);
});
