import { type RawAnswer, rawHttpClient } from '@plugboard/testing';
import { describe, expect, it } from 'vitest';
import { openStream } from '../../support/open-stream.js';
import { SERVER_NAME } from '../../support/echo-call.js';
import { oauthRig } from './rig.js';

const ECHO = { name: 'echo', arguments: { text: 'hello' } };
const CAN_OPEN_URLS = { elicitation: { url: {} } };

/** A server to which somebody was logged in until the login was taken back. */
const loggedOut = async (eras: 'legacy' | 'modern') => {
  const rig = await oauthRig({ eras });
  await rig.enter();
  rig.authorization.endLogins();
  return { rig, endpoint: `${rig.hub.url}/servers/${SERVER_NAME}/mcp` };
};

interface UrlRequest {
  readonly method: string;
  readonly params: { readonly mode: string; readonly url: string; readonly message: string };
}

interface ToolResult {
  readonly resultType?: string;
  readonly inputRequests?: Readonly<Record<string, UrlRequest>>;
  readonly content?: readonly { readonly text: string }[];
}

const resultOf = (answer: RawAnswer): ToolResult =>
  (answer.response as { result?: ToolResult } | undefined)?.result ?? {};

const errorOf = (answer: RawAnswer) =>
  (answer.response as { error?: { code: number; data: Record<string, unknown> } } | undefined)?.error;

describe.each(['legacy', 'modern'] as const)('a login that a %s server wants', (eras) => {
  it('is a question to a modern client, and its call goes on after the login', async () => {
    const { rig, endpoint } = await loggedOut(eras);
    const client = rawHttpClient(endpoint, { era: 'modern', capabilities: CAN_OPEN_URLS });
    const asked = resultOf(await client.request('tools/call', ECHO));
    expect(asked.resultType).toBe('input_required');
    const [[key, question] = ['', undefined]] = Object.entries(asked.inputRequests ?? {});
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { mode: 'url', url: expect.stringContaining(`${rig.hub.url}/v1/oauth/login/`) as string },
    });
    // The client comes back as soon as the user agreed to open the page; the login takes longer.
    const retried = client.request('tools/call', { ...ECHO, inputResponses: { [key]: { action: 'accept' } } });
    expect(await rig.login(question?.params.url ?? '')).toMatchObject({ status: 'success' });
    expect(resultOf(await retried).content).toMatchObject([{ text: 'hello' }]);
    expect(resultOf(await client.request('tools/call', ECHO)).content).toMatchObject([{ text: 'hello' }]);
  });

  it('is an error with the URL to a legacy client, which hears when the login is over', async () => {
    const { rig, endpoint } = await loggedOut(eras);
    const client = rawHttpClient(endpoint);
    await client.initialize('2025-11-25', CAN_OPEN_URLS);
    const stream = await openStream((signal) =>
      client.fetch('GET', { signal, headers: { accept: 'text/event-stream' } }),
    );
    const error = errorOf(await client.request('tools/call', ECHO));
    expect(error).toMatchObject({
      code: -32_042,
      data: { code: 'UPSTREAM_AUTH_REVOKED', elicitations: [{ mode: 'url' }] },
    });
    const [elicitation] = (error?.data['elicitations'] ?? []) as readonly { elicitationId: string; url: string }[];
    await rig.login(elicitation?.url ?? '');
    await stream.has('notifications/elicitation/complete');
    expect(stream.text()).toContain(elicitation?.elicitationId);
    expect(resultOf(await client.request('tools/call', ECHO)).content).toMatchObject([{ text: 'hello' }]);
  });

  it('is an error that names the URL to clients that cannot be sent anywhere', async () => {
    const { endpoint } = await loggedOut(eras);
    for (const era of ['legacy', 'modern'] as const) {
      const client = rawHttpClient(endpoint, { era, capabilities: {} });
      if (era === 'legacy') await client.initialize();
      const error = errorOf(await client.request('tools/call', ECHO));
      expect([era, error]).toMatchObject([
        era,
        { code: -32_012, data: { details: { authorization_url: expect.any(String) as string } } },
      ]);
    }
  });
});

it('a user who declines is not asked again within the call', async () => {
  const { endpoint } = await loggedOut('modern');
  const client = rawHttpClient(endpoint, { era: 'modern', capabilities: CAN_OPEN_URLS });
  const [key = ''] = Object.keys(resultOf(await client.request('tools/call', ECHO)).inputRequests ?? {});
  const answer = await client.request('tools/call', { ...ECHO, inputResponses: { [key]: { action: 'decline' } } });
  expect(errorOf(answer)).toMatchObject({ code: -32_012, data: { code: 'AUTH_REQUIRED' } });
});
