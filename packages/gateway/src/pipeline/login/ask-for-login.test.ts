import { PlugboardError } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import type { McpCall } from '../../call/mcp-call.js';
import { sampleCall } from '../../test-support/mcp-call.js';
import type { CallStep } from '../../call/step.js';
import { askForLogin, goOnAfterLogin, type LoginSettled } from './ask-for-login.js';

const SESSION = 'mcp-oauth-1';
const URL_MODE: JsonObject = { elicitation: { url: {} } };

const wantsLogin = new PlugboardError('AUTH_REQUIRED', 'Somebody has to log in.', {
  details: { authorization_url: 'https://login.example/authorize', session_id: SESSION },
});

/** Both steps, in their order. */
const loginStep =
  (settled: LoginSettled): CallStep =>
  (call, next) =>
    goOnAfterLogin(settled)(call, (ready) => askForLogin(settled)(ready, next));

const refusing = () => Promise.reject(wantsLogin);
const never: LoginSettled = () => Promise.reject(new Error('not expected'));

const modernCall = (params: JsonObject, capabilities: JsonObject = URL_MODE, method = 'tools/call'): McpCall => {
  const call = sampleCall(method, params, { era: 'modern' });
  return { ...call, client: { ...call.client, capabilities } };
};

describe('a login that a server wants', () => {
  it('is a question to a modern client that can open URLs', async () => {
    expect(await loginStep(never)(modernCall({ name: 'a' }), refusing)).toEqual({
      resultType: 'input_required',
      inputRequests: {
        [SESSION]: {
          method: 'elicitation/create',
          params: { mode: 'url', url: 'https://login.example/authorize', message: 'Somebody has to log in.' },
        },
      },
    });
  });

  it.each([
    ['cannot open URLs', { elicitation: {} }, 'tools/call'],
    ['asks for something that may not ask back', URL_MODE, 'tools/list'],
  ])('is the error itself to a client that %s', async (_what, capabilities, method) => {
    await expect(loginStep(never)(modernCall({}, capabilities, method), refusing)).rejects.toBe(wantsLogin);
  });

  it('is waited for when the client comes back, and the server sees nothing of the answer', async () => {
    const order: string[] = [];
    const settled: LoginSettled = async (id) => void order.push(`settled ${id}`);
    const call = modernCall({
      name: 'a',
      inputResponses: { [SESSION]: { action: 'accept' }, other: { action: 'accept' } },
    });
    await loginStep(settled)(call, async ({ params }) => order.push(JSON.stringify(params['inputResponses'])));
    expect(order).toEqual([`settled ${SESSION}`, '{"other":{"action":"accept"}}']);
    const only = modernCall({ inputResponses: { [SESSION]: { action: 'accept' } } });
    await loginStep(settled)(only, async ({ params }) => expect(params).not.toHaveProperty('inputResponses'));
  });

  it('ends the call when the user declines', async () => {
    const call = modernCall({ inputResponses: { [SESSION]: { action: 'cancel' } } });
    await expect(loginStep(never)(call, refusing)).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
      message: expect.stringContaining('declined') as string,
    });
  });

  it('leaves other errors and other answers alone', async () => {
    const other = new PlugboardError('UPSTREAM_TIMEOUT', 'slow');
    await expect(loginStep(never)(modernCall({}), () => Promise.reject(other))).rejects.toBe(other);
    const call = modernCall({ inputResponses: { 'question-1': { action: 'accept' } } });
    expect(await loginStep(never)(call, async (passed) => passed)).toBe(call);
  });
});

describe('a legacy client', () => {
  const legacyCall = (session: McpCall['session']): McpCall => {
    const call = sampleCall('tools/call', {}, {});
    return { ...call, session, client: { ...call.client, capabilities: URL_MODE } };
  };

  it('gets the error of its era, and hears when the login is over', async () => {
    const told: unknown[] = [];
    const call = legacyCall(undefined);
    const session = {
      id: 's',
      client: call.client,
      endpoint: call.scope,
      view: undefined,
      logLevel: undefined,
      channel: { notify: (notification: unknown) => told.push(notification) },
      onEnd: () => undefined,
    };
    const settled: LoginSettled = async () => undefined;
    await expect(loginStep(settled)({ ...call, session }, refusing)).rejects.toMatchObject({
      rpc: { code: -32_042, data: { code: 'AUTH_REQUIRED', elicitations: [{ mode: 'url', elicitationId: SESSION }] } },
    });
    await expect
      .poll(() => told)
      .toMatchObject([{ method: 'notifications/elicitation/complete', params: { elicitationId: SESSION } }]);
  });

  it('without a session is not told, for there is nobody to tell', async () => {
    await expect(loginStep(never)(legacyCall(undefined), refusing)).rejects.toMatchObject({ rpc: { code: -32_042 } });
  });
});
