import { buildRequest, type JsonRpcFailure, type JsonRpcResult } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import type { Incoming, Transport } from '../transport/transport.js';
import { Inbox } from './inbox.js';
import { OpenRequests } from './open-requests.js';

const question: Incoming = { kind: 'request', message: buildRequest('q', 'elicitation/create', { message: 'Name?' }) };

const setUp = (sentAsBytes?: number) => {
  const sent: unknown[] = [];
  const transport = {
    kind: 'streamable_http',
    sessionId: 's',
    sentAsBytes,
    send: async (message: JsonRpcResult | JsonRpcFailure) => void sent.push(message),
  } as unknown as Transport;
  const inbox = new Inbox({ mayAsk: () => true });
  const ask = async (): Promise<unknown> => {
    inbox.receive(question, transport);
    await new Promise((resolve) => setImmediate(resolve));
    return sent.at(-1);
  };
  return { inbox, ask };
};

describe('a question on the stream of a session', () => {
  it('goes to the call under way while there is one', async () => {
    const { inbox, ask } = setUp();
    const heard: Incoming[] = [];
    const end = inbox.begin((incoming) => heard.push(incoming));
    expect([await ask(), heard]).toEqual([undefined, [question]]);
    end();
    expect(await ask()).toMatchObject({ id: 'q', error: { code: -32601 } });
  });

  it('is refused while it may be about one of several calls', async () => {
    const { inbox, ask } = setUp();
    for (const _call of [1, 2]) inbox.begin(() => expect.unreachable());
    expect(await ask()).toMatchObject({
      id: 'q',
      error: { code: -32600, message: expect.stringContaining('Several calls') },
    });
  });

  it.each([
    [1, 1],
    [0, 2],
  ])('is refused the same way with %d calls on the full path and %d on the fast path', async (full, fast) => {
    const { inbox, ask } = setUp(fast);
    for (let count = 0; count < full; count += 1) inbox.begin(() => expect.unreachable());
    expect(await ask()).toMatchObject({ id: 'q', error: { code: -32600 } });
  });

  it('is answered by whoever answers for the session', async () => {
    const { inbox, ask } = setUp();
    inbox.begin(() => expect.unreachable());
    inbox.requests.register('elicitation/create', () => ({ action: 'decline' }));
    expect(await ask()).toMatchObject({ id: 'q', result: { action: 'decline' } });
  });
});

describe('a server that asks without end', () => {
  const flood = (params: object | undefined, count: number) => {
    const asked: unknown[] = [];
    let answered = 0;
    let answer = (): void => undefined;
    const answers = new Promise<object>((resolve) => {
      answer = () => resolve({ action: 'decline' });
    });
    const transport = { send: async () => undefined } as unknown as Transport;
    const inbox = new Inbox({ mayAsk: () => true });
    const own = {
      onRequest: ({ id }: { readonly id?: unknown }) => {
        asked.push(id);
        return answers;
      },
      onAnswered: () => void (answered += 1),
    };
    const ask = (id: number): void =>
      inbox.receive({ kind: 'request', message: buildRequest(id, 'elicitation/create', params) }, transport, own);
    for (let id = 0; id < count; id += 1) ask(id);
    return { asked, answer, ask, answered: () => answered };
  };

  it('has at most 256 requests waiting; those that come then are not answered', async () => {
    const { asked, answer, ask, answered } = flood({ message: 'Name?' }, 1000);
    expect([asked.length, answered()]).toEqual([256, 744]);
    answer();
    await expect.poll(answered).toBe(1000);
    ask(1000);
    expect(asked.at(-1)).toBe(1000);
  });

  it('has at most 8 MiB waiting, or one request', () => {
    expect(flood({ message: 'x'.repeat(1024 * 1024) }, 100).asked).toHaveLength(7);
    expect(flood({ message: 'x'.repeat(9 * 1024 * 1024) }, 3).asked).toEqual([0]);
    const open = new OpenRequests();
    open.enter(buildRequest(1, 'ping'))?.();
    expect(open.enter(buildRequest(2, 'ping'))).toBeDefined();
  });
});
