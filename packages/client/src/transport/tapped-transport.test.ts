import { buildNotification, buildRequest } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { ScriptedTransport } from '../test-support/scripted-transport.js';
import { TappedTransport, tappedEvents } from './tapped-transport.js';
import type { Incoming } from './transport.js';
import type { SeenMessage } from './wire-tap.js';

const notice: Incoming = { kind: 'notification', message: buildNotification('notifications/message') };

const setUp = (isOpen: boolean) => {
  const seen: SeenMessage[] = [];
  const options = { tap: { isOpen, see: (message: SeenMessage) => void seen.push(message) }, redact: String };
  const inner = new ScriptedTransport((_message, exchange) => {
    exchange.onIncoming(notice);
    return { result: {} };
  });
  return { inner, options, transport: new TappedTransport(inner, options), directions: () => seen.map(briefly) };
};

const briefly = ({ direction, callId, transport }: SeenMessage): string =>
  [direction, transport, callId].filter(Boolean).join(' ');

describe('TappedTransport', () => {
  it('shows requests, what comes because of them, and answers', async () => {
    const { transport, directions } = setUp(true);
    const heard: Incoming[] = [];
    const exchange = { signal: new AbortController().signal, onIncoming: (incoming: Incoming) => heard.push(incoming) };
    await transport.request(buildRequest(1, 'tools/list'), { ...exchange, callId: 'c1' });
    await transport.send(buildNotification('notifications/cancelled'), exchange.signal);
    expect(directions()).toEqual([
      'sent streamable_http c1',
      'received streamable_http c1',
      'received streamable_http c1',
      'sent streamable_http',
    ]);
    expect(heard).toEqual([notice]);
  });

  it('passes everything through while the tap is closed', async () => {
    const { inner, transport, directions } = setUp(false);
    const exchange = { signal: new AbortController().signal, onIncoming: () => undefined };
    await transport.open(exchange.signal);
    await transport.request(buildRequest(1, 'tools/list'), exchange);
    await transport.close();
    expect([transport.kind, transport.sessionId, inner.methods, inner.closed, directions()]).toEqual([
      'streamable_http',
      undefined,
      ['tools/list'],
      1,
      [],
    ]);
  });

  it('shows what belongs to no request, and asks for backpressure each time', () => {
    const { options, directions } = setUp(true);
    let pace: (() => undefined) | undefined;
    const heard: Incoming[] = [];
    const events = tappedEvents(
      {
        onIncoming: (incoming) => heard.push(incoming),
        onLost: () => undefined,
        get pace() {
          return pace;
        },
      },
      'stdio',
      options,
    );
    events.onIncoming(notice);
    pace = () => undefined;
    expect([directions(), heard.length, events.pace]).toEqual([['received stdio'], 1, pace]);
  });
});
