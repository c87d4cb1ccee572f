import { buildNotification, buildRequest, buildResult, META_KEY, type JsonRpcRequest } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import { PendingAnswers } from './pending-answers.js';
import type { Incoming } from './transport.js';

const newSignal = (): AbortSignal => new AbortController().signal;
const logged: Incoming = {
  kind: 'notification',
  message: buildNotification('notifications/message', { level: 'info' }),
};
const asked: Incoming = { kind: 'request', message: buildRequest(99, 'roots/list') };
const changed: Incoming = { kind: 'notification', message: buildNotification('notifications/tools/list_changed') };
const modern = (meta: object = {}): object => ({ _meta: { [META_KEY.protocolVersion]: '2026-07-28', ...meta } });

/** Who hears a message while these requests wait. */
const hearing = (incoming: Incoming, ...waiting: readonly JsonRpcRequest[]): readonly unknown[] => {
  const pending = new PendingAnswers();
  const heard: unknown[] = [];
  for (const message of waiting) {
    void pending.add(message, { signal: newSignal(), onIncoming: () => heard.push(message.id) });
  }
  expect(pending.deliver(incoming)).toBe(heard.length > 0);
  return heard;
};

describe('messages that name no cause', () => {
  const call = buildRequest(1, 'tools/call');
  const other = buildRequest(2, 'tools/call');
  const listen = buildRequest(3, 'subscriptions/listen', modern());
  const loud = buildRequest(4, 'tools/call', modern({ [META_KEY.logLevel]: 'info' }));
  const quiet = buildRequest(5, 'tools/call', modern());

  test.each([
    ['a log message, one call', logged, [call], [1]],
    ['a question, one call', asked, [call], [1]],
    ['a log message, two calls', logged, [call, other], []],
    ['a question, two calls', asked, [call, other], []],
    ['a log message, a subscription and a call', logged, [listen, call], [1]],
    ['a log message, only a subscription', logged, [listen], []],
    ['a log message, one modern call that asked for them', logged, [listen, loud, quiet], [4]],
    ['a log message, modern calls that did not ask', logged, [quiet], []],
    ['a change, one call', changed, [call], []],
    ['a log message, nobody', logged, [], []],
  ])('%s', (_what, incoming, waiting, heard) => {
    expect(hearing(incoming, ...waiting)).toEqual(heard);
  });
});

test('an answer reaches the one that waits for it, once', async () => {
  const pending = new PendingAnswers();
  const answer = pending.add(buildRequest(1, 'ping'), { signal: newSignal(), onIncoming: () => undefined });
  expect(pending.answer(buildResult(2, {}))).toBe(false);
  expect(pending.answer(buildResult(1, { ok: true }))).toBe(true);
  expect(await answer).toMatchObject({ result: { ok: true } });
  expect(pending.size).toBe(0);
});

describe('the pace of a channel', () => {
  test('is that of its one request; several never wait for each other', async () => {
    const pending = new PendingAnswers();
    const wait = Promise.resolve();
    const onIncoming = (): void => undefined;
    expect(pending.pace()).toBeUndefined();
    void pending.add(buildRequest(1, 'tools/call'), { signal: newSignal(), onIncoming, pace: () => wait });
    expect(pending.pace()).toBe(wait);
    void pending.add(buildRequest(2, 'tools/call'), { signal: newSignal(), onIncoming });
    expect(pending.pace()).toBeUndefined();
  });
});
