import { rawHttpClient, type RawHttpClient } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCallWith } from '../../../support/hub-call.js';
import { type OpenStream, openStream } from '../../../support/open-stream.js';
import { type Holder, RESOURCE, setStage, type Stage } from './given.js';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

let made = 0;
const holderOf = (rights: object): Promise<Holder> => {
  made += 1;
  return stage.agent(`changing-${made}`, rights);
};

const bearer = ({ key }: Holder) => ({ authorization: `Bearer ${key.key}` });

const sessionAt = async (place: string, holder: Holder): Promise<RawHttpClient> => {
  const client = rawHttpClient(`${stage.hub.url}${place}/mcp`, { headers: bearer(holder) });
  await client.initialize();
  return client;
};

const listenTo = (client: RawHttpClient): Promise<OpenStream> =>
  openStream((signal) => client.fetch('GET', { signal, headers: { accept: 'text/event-stream' } }));

const change = (holder: Holder, rights: object) => stage.admin('PATCH', `/v1/agents/${holder.agent.id}`, rights);

let nonces = 0;
/** Does the call reach the server? */
const runs = async (client: RawHttpClient, name: string): Promise<boolean> => {
  nonces += 1;
  const nonce = `change-${nonces}`;
  await client.request('tools/call', { name, arguments: { nonce, path: '/etc', mode: 'force' } });
  return stage.ran.has(nonce);
};

const PLACES = [
  ['', 'files__write'],
  ['/servers/files', 'write'],
] as const;

const promptAt = async (client: RawHttpClient): Promise<string> => {
  const { response } = await client.request('prompts/list');
  const [prompt] = (response?.result?.['prompts'] ?? []) as readonly { readonly name: string }[];
  return prompt?.name ?? '';
};

describe('a session that is open while its agent', () => {
  it.each(PLACES)('loses a tool calls it no longer at "%s"', async (place, name) => {
    const holder = await holderOf({ server_ids: [stage.serverIds.files] });
    const client = await sessionAt(place, holder);
    expect([await runs(client, name), await runs(client, name)]).toEqual([true, true]);
    await change(holder, { deny_tool_ids: [stage.toolIds.get('write')] });
    expect([await runs(client, name), await runs(client, name)]).toEqual([false, false]);
    expect((await client.request('tools/list')).text).not.toContain('"name":"write"');
  });

  it.each(PLACES)('loses the server calls, reads and asks nothing of it at "%s"', async (place, name) => {
    const holder = await holderOf({ server_ids: [stage.serverIds.files] });
    const client = await sessionAt(place, holder);
    const prompt = await promptAt(client);
    const ref = { type: 'ref/prompt', name: prompt };
    const requests: readonly (readonly [string, Record<string, unknown>])[] = [
      ['resources/read', { uri: RESOURCE }],
      ['resources/list', {}],
      ['resources/subscribe', { uri: RESOURCE }],
      ['prompts/list', {}],
      ['prompts/get', { name: prompt, arguments: { who: 'World' } }],
      ['completion/complete', { ref, argument: { name: 'who', value: 'W' } }],
    ];
    expect(await runs(client, name)).toBe(true);
    for (const [method, params] of requests) {
      expect([method, (await client.request(method, params)).response?.error]).toEqual([method, undefined]);
    }
    await change(holder, { server_ids: [] });
    expect(await runs(client, name)).toBe(false);
    for (const [method, params] of requests) {
      const { text } = await client.request(method, params);
      // What the client itself said may come back in an error.
      const said = [RESOURCE, prompt].reduce((rest, own) => rest.replaceAll(own, ''), text);
      expect([method, /plan|greet|World|Hello/u.test(said)]).toEqual([method, false]);
    }
  });

  it.each(['', '/servers/files'])('loses the server hears no more of its resources at "%s"', async (place) => {
    const [holder, other] = await Promise.all([
      holderOf({ server_ids: [stage.serverIds.files] }),
      holderOf({ server_ids: [stage.serverIds.files] }),
    ]);
    const [client, kept] = [await sessionAt(place, holder), await sessionAt(place, other)];
    const [heard, keptHeard] = [await listenTo(client), await listenTo(kept)];
    for (const each of [client, kept]) await each.request('resources/subscribe', { uri: RESOURCE });
    stage.files.notify('notifications/resources/updated', { uri: RESOURCE });
    for (const each of [heard, keptHeard]) await each.has('notifications/resources/updated');
    await change(holder, { server_ids: [] });
    const before = heard.text();
    const beforeKept = keptHeard.text().length;
    stage.files.notify('notifications/resources/updated', { uri: RESOURCE });
    stage.files.notify('notifications/resources/list_changed');
    stage.files.notify('notifications/message', { level: 'error', data: 'for those who use the server' });
    await expect.poll(() => keptHeard.text().slice(beforeKept)).toContain('resources/updated');
    await expect.poll(() => keptHeard.text().slice(beforeKept)).toContain('for those who use the server');
    expect(heard.text().slice(before.length)).not.toMatch(/resources\/|for those/u);
  });

  it.each(['', '/servers/files'])('loses the server is told no more of what it listens to at "%s"', async (place) => {
    const [holder, other] = await Promise.all([
      holderOf({ server_ids: [stage.serverIds.files] }),
      holderOf({ server_ids: [stage.serverIds.files] }),
    ]);
    const listen = async (of: Holder): Promise<OpenStream> => {
      const client = rawHttpClient(`${stage.hub.url}${place}/mcp`, { era: 'modern', headers: bearer(of) });
      // The hub has read the list of resources.
      await client.request('resources/list');
      const notifications = { resourceSubscriptions: [RESOURCE], resourcesListChanged: true };
      const { _meta } = {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      };
      const body = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications, _meta } };
      const stream = await openStream((signal) =>
        client.fetch('POST', {
          signal,
          headers: {
            'content-type': 'application/json',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'subscriptions/listen',
          },
          body: JSON.stringify(body),
        }),
      );
      await stream.has('acknowledged');
      return stream;
    };
    const [heard, kept] = [await listen(holder), await listen(other)];
    stage.files.notify('notifications/resources/updated', { uri: RESOURCE });
    for (const each of [heard, kept]) await each.has('notifications/resources/updated');
    await change(holder, { server_ids: [] });
    const [before, beforeKept] = [heard.text().length, kept.text().length];
    stage.files.notify('notifications/resources/updated', { uri: RESOURCE });
    await expect.poll(() => kept.text().slice(beforeKept)).toContain('resources/updated');
    expect(heard.text().slice(before)).not.toContain('resources/');
  });
});

describe('a toolset that changes while a session is open', () => {
  const entry = (upstream_name: string, more: object = {}) => ({
    server_id: stage.serverIds.files,
    upstream_name,
    ...more,
  });
  const toolset = async (entries: readonly object[], more: object = {}) => {
    made += 1;
    const { json } = await stage.admin('POST', '/v1/toolsets', { name: `changing-${made}`, entries, ...more });
    return json as { readonly id: string; readonly name: string };
  };

  it('applies its new presets to the next call, and keeps the tool from everywhere else', async () => {
    const { id, name } = await toolset([entry('write')]);
    const holder = await holderOf({ toolset_ids: [id] });
    const [inside, past] = [await sessionAt(`/toolsets/${name}`, holder), await sessionAt('/servers/files', holder)];
    const merged = await sessionAt('', holder);
    expect([await runs(inside, 'files__write'), await runs(past, 'write'), await runs(merged, 'files__write')]).toEqual(
      [true, true, true],
    );
    await stage.admin('PATCH', `/v1/toolsets/${id}`, {
      entries: [entry('write', { preset_arguments: { path: '/p' } })],
    });
    expect([await runs(inside, 'files__write'), await runs(past, 'write'), await runs(merged, 'files__write')]).toEqual(
      [true, false, false],
    );
    expect(stage.ran.get(`change-${nonces - 2}`)).toEqual([{ tool: 'write', path: '/p', mode: 'force' }]);
  });

  it('takes a tool away at once, and goes itself', async () => {
    const { id, name } = await toolset([entry('write'), entry('read')]);
    const holder = await holderOf({ toolset_ids: [id] });
    const client = await sessionAt(`/toolsets/${name}`, holder);
    expect(await runs(client, 'files__write')).toBe(true);
    await stage.admin('PATCH', `/v1/toolsets/${id}`, { entries: [entry('read')] });
    expect([await runs(client, 'files__write'), await runs(client, 'files__read')]).toEqual([false, true]);
    await change(holder, { toolset_ids: [] });
    expect(await runs(client, 'files__read')).toBe(false);
  });

  it.each([
    ['agent', 'all'],
    ['operator', 'all'],
    ['agent', 'search'],
    ['operator', 'search'],
  ] as const)(
    'tells the session of an %s no more log messages of a server it lost (exposure: %s)',
    async (role, exposure) => {
      const both = [entry('write'), { server_id: stage.serverIds.other, upstream_name: 'secret' }];
      const [changing, unchanged] = [await toolset(both, { exposure }), await toolset(both, { exposure })];
      const hearing = async ({ id, name }: { readonly id: string; readonly name: string }): Promise<OpenStream> => {
        const agent = await holderOf({ toolset_ids: [id] });
        const operator = (await stage.admin('POST', '/v1/keys', { name, role: 'operator' })).json as Holder['key'];
        const client = await sessionAt(`/toolsets/${name}`, role === 'agent' ? agent : { ...agent, key: operator });
        const heard = await listenTo(client);
        expect([await runs(client, 'files__write'), await runs(client, 'other__secret')]).toEqual([true, true]);
        return heard;
      };
      const [heard, kept] = [await hearing(changing), await hearing(unchanged)];
      const say = (data: string): void => stage.files.notify('notifications/message', { level: 'error', data });
      say('while it is in the toolset');
      for (const each of [heard, kept]) await each.has('while it is in the toolset');
      await stage.admin('PATCH', `/v1/toolsets/${changing.id}`, { entries: both.slice(1) });
      say('for those who use the server');
      await kept.has('for those who use the server');
      expect(heard.text()).not.toContain('for those who use the server');
    },
  );
});

describe('a session whose', () => {
  it.each([
    ['agent is deleted', ({ agent }: Holder) => stage.admin('DELETE', `/v1/agents/${agent.id}`)],
    ['key is revoked', ({ key }: Holder) => stage.admin('DELETE', `/v1/keys/${key.id}`)],
  ])('%s is over on every endpoint', async (_what, end) => {
    const holder = await holderOf({
      server_ids: [stage.serverIds.files],
      toolset_ids: [stage.toolsetIds.get('narrow')],
    });
    const clients = await Promise.all(
      ['', '/servers/files', '/toolsets/narrow'].map((place) => sessionAt(place, holder)),
    );
    const streams = await Promise.all(clients.map(listenTo));
    await end(holder);
    for (const name of ['files__write', 'write', 'look']) {
      for (const client of clients) expect(await runs(client, name)).toBe(false);
    }
    for (const stream of streams) await stream.ended();
    expect((await hubCallWith(stage.hub.url, holder.key.key)('GET', '/servers')).status).toBe(401);
  });
});
