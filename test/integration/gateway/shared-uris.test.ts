import { fakeServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { officialClientsAt, type OfficialClient } from '../../support/official-clients.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

/** Two servers with the same addresses behind one endpoint. */

interface Resource {
  readonly uri: string;
}
interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly _meta: { readonly ui: { readonly resourceUri: string } };
  }[];
}

const serverOf = (name: string): FakeServer =>
  fakeServer({
    name,
    eras: 'both',
    resources: [
      { uri: 'ui://widget/main.html', name: 'widget', text: `page of ${name}` },
      { uri: 'config:app', name: 'config', text: `config of ${name}` },
    ],
    resourceTemplates: [{ uriTemplate: 'db://{table}', name: 'table', text: `{table} of ${name}` }],
    tools: [
      {
        name: 'show',
        _meta: { ui: { resourceUri: 'ui://widget/main.html' } },
        handler: () => ({
          content: [
            { type: 'resource_link', uri: 'config:app', name: 'config' },
            { type: 'resource_link', uri: 'hidden://only', name: 'hidden' },
            { type: 'resource', resource: { uri: 'db://users', text: 'rows' } },
            { type: 'resource_link', uri: 'https://example.com/', name: 'page' },
          ],
        }),
      },
    ],
  });

const servers = ['alpha', 'beta'].map((name) => ({ name, server: serverOf(name) }));
let hub: RealHub;
let clients: readonly OfficialClient[];
beforeAll(async () => {
  hub = await startRealHub();
  for (const { name, server } of servers) {
    const { url } = await server.listenHttp();
    const config = { mcp_server_type: 'streamable_http', server_url: url };
    await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: name, config });
  }
  clients = await officialClientsAt(`${hub.url}/mcp`);
});
afterAll(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  await hub.close();
  for (const { server } of servers) await server.close();
});

const read = async (client: OfficialClient, uri: string): Promise<{ readonly uri: string; readonly text: string }> => {
  const { contents } = (await client.ask('resources/read', { uri })) as {
    readonly contents: readonly { readonly uri: string; readonly text: string }[];
  };
  return contents[0] ?? { uri: '', text: '' };
};

describe('on an endpoint of several servers', () => {
  it('a tool leads to the page of its own server', async () => {
    for (const client of clients) {
      const { tools } = (await client.ask('tools/list')) as Listed;
      for (const { name } of servers) {
        const uri = tools.find((tool) => tool.name === `${name}__show`)?._meta.ui.resourceUri ?? '';
        expect(uri).toMatch(/^ui:\/\//u);
        expect(await read(client, uri)).toMatchObject({ uri, text: `page of ${name}` });
      }
    }
  });

  it('every resource is listed, and each leads to its own server', async () => {
    for (const client of clients) {
      const { resources } = (await client.ask('resources/list')) as { readonly resources: readonly Resource[] };
      expect(new Set(resources.map(({ uri }) => uri)).size).toBe(4);
      const texts = [];
      for (const { uri } of resources) texts.push((await read(client, uri)).text);
      const expected = servers.flatMap(({ name }) => [`page of ${name}`, `config of ${name}`]);
      expect(texts.toSorted()).toEqual(expected.toSorted());
      const { resourceTemplates } = (await client.ask('resources/templates/list')) as {
        readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
      };
      const expanded = resourceTemplates.map(({ uriTemplate }) => uriTemplate.replace('{table}', 'users'));
      const rows = await Promise.all(expanded.map(async (uri) => (await read(client, uri)).text));
      expect(rows.toSorted()).toEqual(['users of alpha', 'users of beta']);
    }
  });

  it('a result leads to the resources of its own server, and leaves the web alone', async () => {
    for (const client of clients) {
      for (const { name } of servers) {
        const { content } = (await client.ask('tools/call', { name: `${name}__show`, arguments: {} })) as {
          readonly content: readonly { readonly uri: string; readonly resource: Resource }[];
        };
        expect((await read(client, content[0]?.uri ?? '')).text).toBe(`config of ${name}`);
        expect((await read(client, content[2]?.resource.uri ?? '')).text).toBe(`users of ${name}`);
        await expect(read(client, content[1]?.uri ?? '')).rejects.not.toThrow('No server here knows');
        expect(content[3]?.uri).toBe('https://example.com/');
      }
    }
  });
});
