import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Refusal } from '../script/refusal.js';
import { DOUBLE_CREDENTIALS } from '../scripted-llm.js';
import { MemoryLlm } from '../memory-llm.js';
import type { Arrival } from '../wire/arrival.js';
import { type AwsCredentials, checkSignature } from './signature.js';

/** A request that the official SDK signed. */
const signed = async (credentials: AwsCredentials = DOUBLE_CREDENTIALS): Promise<Arrival> => {
  const double = new MemoryLlm({ credentials });
  double.next({ text: 'Yes.' });
  const { region, ...keys } = credentials;
  const client = new BedrockRuntimeClient({
    region,
    credentials: keys,
    endpoint: double.url,
    maxAttempts: 1,
    requestHandler: double.awsHandler,
  });
  const messages = [{ role: 'user' as const, content: [{ text: 'Hi' }] }];
  await client.send(new ConverseCommand({ modelId: 'anthropic.claude-double-v1:0', messages }));
  const [arrival] = double.arrivals;
  if (arrival === undefined) throw new Error('nothing was sent');
  return arrival;
};

const refusalOf = (arrival: Arrival, credentials: AwsCredentials = DOUBLE_CREDENTIALS) => {
  try {
    checkSignature(arrival, credentials);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.facts;
  }
};

const withHeaders = (arrival: Arrival, headers: Readonly<Record<string, string>>): Arrival => ({
  ...arrival,
  headers: { ...arrival.headers, ...headers },
});

const MISMATCH = {
  status: 403,
  type: 'InvalidSignatureException',
  message: 'The request signature we calculated does not match the signature you provided.',
};

afterEach(() => {
  vi.useRealTimers();
});

describe('a request that the official SDK signed', () => {
  test('is accepted, with a session token too', async () => {
    expect(refusalOf(await signed())).toBeUndefined();
    const session = { ...DOUBLE_CREDENTIALS, sessionToken: 'token' };
    expect(refusalOf(await signed(session), session)).toBeUndefined();
  });

  test('may name its host as HTTP/2 does', async () => {
    const arrival = await signed();
    const { host = '', ...headers } = arrival.headers;
    expect(refusalOf({ ...arrival, headers: { ...headers, ':authority': host } })).toBeUndefined();
  });

  test('is refused with another body, method, path, query or signed header', async () => {
    const arrival = await signed();
    const changed: readonly Arrival[] = [
      { ...arrival, body: Buffer.from(arrival.body.toString().replace('Hi', 'Ho')) },
      { ...arrival, method: 'PUT' },
      { ...arrival, path: arrival.path.replace('converse', 'converse-stream') },
      { ...arrival, path: `${arrival.path}'(!)` },
      { ...arrival, query: 'a=b' },
      withHeaders(arrival, { host: 'other.test' }),
      withHeaders(arrival, { 'content-type': 'text/plain' }),
    ];
    for (const one of changed) expect(refusalOf(one)).toEqual(MISMATCH);
  });

  test('is accepted for less than 15 minutes, in either direction', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-18T12:00:00Z') });
    const arrival = await signed();
    expect(arrival.headers['x-amz-date']).toBe('20261118T120000Z');
    for (const at of ['11:45:01', '12:14:59']) {
      vi.setSystemTime(Date.parse(`2026-11-18T${at}Z`));
      expect(refusalOf(arrival)).toBeUndefined();
    }
    for (const at of ['11:45:00', '12:15:00']) {
      vi.setSystemTime(Date.parse(`2026-11-18T${at}Z`));
      expect(refusalOf(arrival)).toEqual({ ...MISMATCH, message: 'Signature expired.' });
    }
  });

  test('is refused with a date that is none', async () => {
    const facts = refusalOf(withHeaders(await signed(), { 'x-amz-date': 'today' }));
    expect(facts).toEqual({ ...MISMATCH, message: 'Signature expired.' });
  });

  test('is refused by a server with other credentials', async () => {
    const arrival = await signed();
    expect(refusalOf(arrival, { ...DOUBLE_CREDENTIALS, secretAccessKey: 'other' })).toEqual(MISMATCH);
    const unknown = {
      status: 403,
      type: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    };
    expect(refusalOf(arrival, { ...DOUBLE_CREDENTIALS, accessKeyId: 'AKIAOTHER' })).toEqual(unknown);
    expect(refusalOf(arrival, { ...DOUBLE_CREDENTIALS, sessionToken: 'token' })).toEqual(unknown);
    expect(refusalOf(arrival, { ...DOUBLE_CREDENTIALS, region: 'eu-west-1' })).toEqual({
      ...MISMATCH,
      message: 'Credential should be scoped to eu-west-1 and bedrock.',
    });
  });
});

test('a request without a signature, and one with half of it', async () => {
  const arrival = await signed();
  const { authorization = '', ...headers } = arrival.headers;
  expect(refusalOf({ ...arrival, headers })).toMatchObject({ type: 'MissingAuthenticationTokenException' });
  const half = withHeaders(arrival, { authorization: authorization.replace(/, ?Signature=.*$/u, '') });
  expect(refusalOf(half)).toMatchObject({ type: 'IncompleteSignatureException' });
});
