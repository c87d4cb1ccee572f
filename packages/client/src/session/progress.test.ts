import { buildNotification, type JsonRpcNotification } from '@plugboard/wire';
import { expect, test } from 'vitest';
import { ScriptedTransport } from '../test-support/scripted-transport.js';
import { Inbox } from './inbox.js';

const told = (progressToken: unknown, progress: unknown = 1): JsonRpcNotification =>
  buildNotification('notifications/progress', { progressToken, progress, vendor: true });

test('progress after the answer reaches whoever waits for it, on any stream, until that one has heard enough', () => {
  const inbox = new Inbox({ mayAsk: () => false });
  const transport = new ScriptedTransport(() => ({ result: {} }));
  const enough = new AbortController();
  const late: unknown[] = [];
  const others: unknown[] = [];
  const ofCall: unknown[] = [];
  inbox.add(({ params }) => others.push(params));
  inbox.progress.keep(7, (progress, params) => late.push(progress, params), enough.signal);
  const receive = (message: JsonRpcNotification, own?: { onNotification: () => void }): void =>
    inbox.receive({ kind: 'notification', message }, transport, own);
  receive(told(7));
  expect(late).toEqual([{ progress: 1 }, { progressToken: 7, progress: 1, vendor: true }]);
  receive(told(7, 'much'), { onNotification: () => ofCall.push('heard') });
  expect(late).toHaveLength(4);
  expect([others, ofCall]).toEqual([[], []]);
  receive(told('7'));
  expect(others).toHaveLength(1);
  enough.abort();
  receive(told(7));
  expect([late.length, others.length, inbox.progress.size]).toEqual([4, 2, 0]);
  inbox.progress.keep(8, () => undefined, enough.signal);
  expect(inbox.progress.size).toBe(0);
});
