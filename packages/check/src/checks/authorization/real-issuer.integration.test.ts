import { FakeServer } from '@plugboard/testing';
import { AuthorizationServerDouble, protectResource } from '@plugboard/testing/oauth';
import { expect, test } from 'vitest';
import { runChecks } from '../../run/run-checks.js';
import { checkTarget } from '../../target/target.js';
import { authorizationChecks } from './index.js';

const CLIENT = {
  client_id: 'check',
  client_secret: 'secret-of-the-check',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
};

const tokenFor = async (issuer: string, resource: string): Promise<string> => {
  const { client_id, client_secret } = CLIENT;
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'mcp:basic',
      client_id,
      client_secret,
      resource,
    }),
  });
  return String(((await response.json()) as { readonly access_token?: unknown }).access_token);
};

test('a server behind a real authorization server fails no check, and most of them are judged', async () => {
  await using authorization = await AuthorizationServerDouble.start({
    clients: [{ ...CLIENT, token_endpoint_auth_method: 'client_secret_post' }],
  });
  await using server = new FakeServer({ eras: 'both' });
  await using guarded = await protectResource({ server, authorization });
  const token = await tokenFor(authorization.issuer, guarded.url);
  const target = checkTarget.parse({
    url: guarded.url,
    transport: 'streamable-http',
    headers: { authorization: `Bearer ${token}` },
    authorization: { register: true },
    budgets: { quietMs: 20 },
  });
  const { results } = await runChecks(target, { checks: authorizationChecks, version: '0.0.0' });
  const found = (verdict: string) => [...new Set(results.filter((one) => one.verdict === verdict).map(({ id }) => id))];
  expect(found('fail')).toEqual([]);
  expect(found('pass')).toEqual(
    expect.arrayContaining([
      'AUT-01',
      'AUT-03',
      'AUT-05',
      'AUT-08',
      'AUT-09',
      'AUT-16',
      'AUT-18',
      'AUT-19',
      'AUT-20',
      'AUT-21',
      'AUT-23',
    ]),
  );
  const confidences = authorization.confidences.filter((secret) => JSON.stringify(results).includes(secret));
  expect(confidences).toEqual([]);
});
