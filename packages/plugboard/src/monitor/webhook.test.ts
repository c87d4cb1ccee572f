import { createHmac } from 'node:crypto';
import type { MonitorAlert } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { Webhook, type WebhookOptions } from './webhook.js';

const alert = (message: string): MonitorAlert => ({
  at: '2026-01-02T03:04:05.000Z',
  kind: 'down',
  server_id: 'mcp_server-00000000-0000-4000-8000-000000000001',
  server_name: 'files',
  message,
});

type Answer = () => Promise<Response>;
const status =
  (code: number): Answer =>
  () =>
    Promise.resolve(new Response(null, { status: code }));
const failing =
  (reason: Error): Answer =>
  async () => {
    throw reason;
  };

/** A hook whose receiver gives these answers, the last one again and again; resolves after so many attempts. */
const delivering = async (
  alerts: number,
  attempts: number,
  answers: readonly Answer[],
  more: Partial<WebhookOptions> = {},
) => {
  const sent: { readonly init: RequestInit; readonly body: string }[] = [];
  const failures: string[] = [];
  let reached = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const hook = new Webhook({
    url: 'https://alerts.example/hook',
    secret: undefined,
    pausesMs: [0],
    onFailure: (reason) => failures.push(reason),
    fetch: (_url, init) => {
      const answer = answers[sent.length] ?? answers.at(-1) ?? status(200);
      sent.push({ init: init ?? {}, body: init?.body as string });
      if (sent.length === attempts) setImmediate(reached);
      return answer();
    },
    ...more,
  });
  for (let index = 0; index < alerts; index += 1) hook.send(alert(`alert ${index}`));
  await all;
  await hook.close();
  const messages = sent.map(({ body }) => (JSON.parse(body) as MonitorAlert).message);
  return { sent, failures, messages };
};

describe('the webhook', () => {
  it('sends alerts one after the other, without following redirects', async () => {
    const { sent, messages, failures } = await delivering(2, 2, [status(204)]);
    expect(messages).toEqual(['alert 0', 'alert 1']);
    expect(sent[0]?.init).toMatchObject({ method: 'POST', redirect: 'error' });
    expect(failures).toEqual([]);
  });

  it('signs each body with the secret', async () => {
    const { sent } = await delivering(1, 1, [status(200)], { secret: 'of the operator' });
    const expected = createHmac('sha256', 'of the operator')
      .update(sent[0]?.body ?? '')
      .digest('hex');
    expect(sent[0]?.init.headers).toMatchObject({ 'x-plugboard-signature': `sha256=${expected}` });
  });

  it('retries, and goes on with the next alert', async () => {
    const { messages, failures } = await delivering(2, 3, [status(500), status(200)]);
    expect(messages).toEqual(['alert 0', 'alert 0', 'alert 1']);
    expect(failures).toEqual([]);
  });

  it.each([
    [status(503), 'The receiver answered 503.'],
    [failing(new TypeError('fetch failed')), 'The receiver cannot be reached.'],
    [failing(new DOMException('too late', 'TimeoutError')), 'The receiver did not answer within 5 s.'],
  ])('gives up after the last attempt and says why', async (answer, reason) => {
    const { messages, failures } = await delivering(1, 2, [answer]);
    expect(messages).toHaveLength(2);
    expect(failures).toEqual([reason]);
  });

  it('drops the oldest alerts when too many wait', async () => {
    const { messages } = await delivering(130, 101, [status(200)]);
    expect(messages.slice(0, 2)).toEqual(['alert 0', 'alert 30']);
    expect(messages.at(-1)).toBe('alert 129');
  });

  it('sends nothing after it was closed', async () => {
    let calls = 0;
    const fetch: typeof globalThis.fetch = () => {
      calls += 1;
      return Promise.resolve(new Response());
    };
    const hook = new Webhook({ url: 'https://alerts.example/', secret: undefined, onFailure: () => undefined, fetch });
    await hook.close();
    hook.send(alert('late'));
    await hook.close();
    expect(calls).toBe(0);
  });
});
