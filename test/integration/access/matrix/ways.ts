import { rawHttpClient } from '@plugboard/testing';
import { hubCallWith } from '../../../support/hub-call.js';
import { openStream } from '../../../support/open-stream.js';

/** One call of a tool by a name that may or may not mean something at the endpoint. */
export interface Attempt {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface Caller {
  readonly hub: string;
  readonly key: string;
  readonly agentId: string;
}

/** A way to call tools at an endpoint. False when the endpoint does not exist for the caller. */
export interface Way {
  readonly title: string;
  /** Does the endpoint have this way? */
  readonly isAt: (place: string) => boolean;
  readonly call: (caller: Caller, place: string, attempts: readonly Attempt[]) => Promise<boolean>;
}

const anywhere = (): boolean => true;

const clientOf = ({ hub, key }: Caller, place: string, era: 'legacy' | 'modern' = 'legacy') =>
  rawHttpClient(`${hub}${place}/mcp`, { era, headers: { authorization: `Bearer ${key}` } });

const inSession: Way['call'] = async (caller, place, attempts) => {
  const client = clientOf(caller, place);
  if ((await client.initialize()).status !== 200) return false;
  await Promise.all(attempts.map(({ name, args }) => client.request('tools/call', { name, arguments: args })));
  return true;
};

const withoutSession: Way['call'] = async (caller, place, attempts) => {
  const client = clientOf(caller, place);
  const answers = await Promise.all(
    attempts.map(({ name, args }) => client.request('tools/call', { name, arguments: args })),
  );
  return answers.every(({ status }) => status !== 404);
};

const inBatch: Way['call'] = async (caller, place, attempts) => {
  const client = clientOf(caller, place);
  if ((await client.initialize('2025-03-26')).status !== 200) return false;
  const batch = attempts.map(({ name, args }, index) => ({
    jsonrpc: '2.0',
    id: 100 + index,
    method: 'tools/call',
    params: { name, arguments: args },
  }));
  await client.post(batch);
  return true;
};

const modern: Way['call'] = async (caller, place, attempts) => {
  const client = clientOf(caller, place, 'modern');
  const answers = await Promise.all(
    attempts.map(({ name, args }) =>
      client.request(
        'tools/call',
        { name, arguments: args },
        { headers: { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` } },
      ),
    ),
  );
  return answers.every(({ status }) => status !== 404);
};

const overSse: Way['call'] = async ({ hub, key }, place, attempts) => {
  const headers = { authorization: `Bearer ${key}` };
  const stream = await openStream((signal) => fetch(`${hub}${place}/sse`, { headers, signal }));
  if (stream.status !== 200) return false;
  await stream.has('\n\n');
  const path = /^data: (.+)$/mu.exec(stream.text())?.[1] ?? '';
  const post = async (message: object): Promise<void> => {
    await fetch(hub + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  };
  const clientInfo = { name: 'test', version: '1' };
  await post({
    id: 'first',
    method: 'initialize',
    params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo },
  });
  await stream.has('"id":"first"');
  await Promise.all(
    attempts.map(({ name, args }, index) =>
      post({ id: `call-${index}`, method: 'tools/call', params: { name, arguments: args } }),
    ),
  );
  for (const index of attempts.keys()) await stream.has(`"id":"call-${index}"`);
  stream.close();
  return true;
};

const restWith =
  (spell: (name: string) => string): Way['call'] =>
  async ({ hub, key }, place, attempts) => {
    const ask = hubCallWith(hub, key);
    if (place.startsWith('/toolsets/') && (await ask('GET', `${place}/tools`)).status === 404) return false;
    if (place.startsWith('/servers/') && (await ask('GET', place)).status === 404) return false;
    await Promise.all(attempts.map(({ name, args }) => ask('POST', `${place}/tools/${spell(name)}`, args)));
    return true;
  };

/** Every byte as %XX, also those that need not be. */
const asBytes = (name: string): string =>
  [...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const wrapped: Way['call'] = (caller, place, attempts) =>
  modern(
    caller,
    place,
    // The arguments of call_tool are no plain texts.
    attempts.map(({ name, args }) => ({ name: 'call_tool', args: { name, arguments: args } as never })),
  );

const asAgent: Way['call'] = async ({ hub, key, agentId }, _place, attempts) => {
  const ask = hubCallWith(hub, key);
  await Promise.all(
    attempts.map(({ name, args }) =>
      ask('POST', `/v1/agents/${agentId}/tools/${encodeURIComponent(name)}/run`, { args }),
    ),
  );
  return true;
};

const isRest = (place: string): boolean => place !== '';

/** The place of the admin route that runs tools as an agent. */
export const RUN_ROUTE = 'the run route';

const ENDPOINT_WAYS: readonly Way[] = [
  { title: 'a legacy session', isAt: anywhere, call: inSession },
  { title: 'a legacy session, once more', isAt: anywhere, call: inSession },
  { title: 'no session', isAt: anywhere, call: withoutSession },
  { title: 'a batch', isAt: anywhere, call: inBatch },
  { title: 'the modern era', isAt: anywhere, call: modern },
  { title: 'the modern era, once more', isAt: anywhere, call: modern },
  { title: 'HTTP+SSE', isAt: anywhere, call: overSse },
  { title: 'REST', isAt: isRest, call: restWith(encodeURIComponent) },
  { title: 'REST, in bytes', isAt: isRest, call: restWith(asBytes) },
  { title: 'call_tool', isAt: (place) => place.startsWith('/toolsets/'), call: wrapped },
];

/** Every way to call a tool. Some come twice: the second call finds an open connection, and takes the fast path. */
export const WAYS: readonly Way[] = ENDPOINT_WAYS.map((way) => ({
  ...way,
  isAt: (place) => place !== RUN_ROUTE && way.isAt(place),
}));

export const RUN_WAY: Way = { title: 'the run route', isAt: (place) => place === RUN_ROUTE, call: asAgent };
