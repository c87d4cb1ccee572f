import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { LOGIN_TRANSPORTS, type LoginServer, startLoginServer } from '../../support/login-server.js';
import { officialClientsAt } from '../../support/official-clients.js';
import { needsOwnProcess, workersOfTests } from '../../support/workers-of-tests.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

/** A server of SDK 1.x adds and removes offers for the one session that logged in; clients are of SDK 1.x. */

let hub: RealHub;
const servers: LoginServer[] = [];
const ids = new Map<string, string>();

const register = async (server_name: string, config: object): Promise<void> => {
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config });
  ids.set(server_name, (json as { readonly id: string }).id);
};

beforeAll(async () => {
  hub = await startRealHub();
  for (const transport of LOGIN_TRANSPORTS) {
    const server = await startLoginServer(transport);
    servers.push(server);
    await register(transport, server.config);
  }
});
afterAll(async () => {
  await hub.close();
  for (const server of servers) await server[Symbol.asyncDispose]();
});

class Person implements AsyncDisposable {
  readonly client = new Client({ name: 'person', version: '1.0.0' });
  readonly told = { tools: 0, prompts: 0, resources: 0 };

  static async at(path: string): Promise<Person> {
    const person = new Person();
    const { client, told } = person;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told.tools += 1));
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => void (told.prompts += 1));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (told.resources += 1));
    const url = new URL(hub.url + path);
    await client.connect(path.endsWith('/sse') ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url));
    return person;
  }

  async tools(prefix = ''): Promise<readonly string[]> {
    const { tools } = await this.client.listTools();
    return tools.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  }

  async call(name: string): Promise<string> {
    const { content } = await this.client.callTool({ name, arguments: {} });
    return (content as readonly { readonly text: string }[])[0]?.text ?? '';
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}

const PATIENTLY = { timeout: 10_000 };
const BEFORE = ['guest', 'plain', 'login'];
const AFTER = ['plain', 'login', 'secret'];

describe.each(LOGIN_TRANSPORTS)('a server over %s', (transport) => {
  describe.each([
    ['its own endpoint', `/servers/${transport}/mcp`, ''],
    ['its own endpoint over HTTP+SSE', `/servers/${transport}/sse`, ''],
    ['the endpoint of all servers', '/mcp', `${transport}__`],
  ])('at %s', (_, path, prefix) => {
    it('shows a tool that it added for one session to the client of that session, and to no other', async () => {
      await using one = await Person.at(path);
      await using other = await Person.at(path);
      const named = (names: readonly string[]): readonly string[] => names.map((name) => prefix + name);
      expect(await one.tools(prefix)).toEqual(named(BEFORE));
      expect(await other.call(`${prefix}plain`)).toBe('plain');
      expect(await one.call(`${prefix}login`)).toBe('welcome');
      await expect.poll(() => one.told.tools, PATIENTLY).toBeGreaterThan(0);
      expect(await one.tools(prefix)).toEqual(named(AFTER));
      expect(await one.call(`${prefix}secret`)).toBe('secret');
      await expect(one.call(`${prefix}guest`)).rejects.toThrow(/no tool named/u);
      expect(await other.tools(prefix)).toEqual(named(BEFORE));
      await expect(other.call(`${prefix}secret`)).rejects.toThrow(/no tool named/u);
      expect(await other.call(`${prefix}guest`)).toBe('guest');
      expect(other.told.tools).toBe(0);
    });

    it('shows prompts, resources and templates of one session to its client, and to no other', async () => {
      await using one = await Person.at(path);
      await using other = await Person.at(path);
      const offered = async ({ client }: Person) => ({
        prompts: (await client.listPrompts()).prompts.map(({ name }) => name).filter((name) => name.startsWith(prefix)),
        resources: (await client.listResources()).resources.filter(({ uri }) => uri.endsWith('secret')).length,
        templates: (await client.listResourceTemplates()).resourceTemplates.length,
      });
      const before = { prompts: [`${prefix}open_prompt`], resources: 0, templates: 0 };
      // A program that was never asked may need longer to start than a list of several servers waits for it.
      await expect.poll(() => offered(one), PATIENTLY).toEqual(before);
      expect(await other.call(`${prefix}plain`)).toBe('plain');
      await one.call(`${prefix}login`);
      await expect.poll(() => Math.min(one.told.prompts, one.told.resources), PATIENTLY).toBeGreaterThan(0);
      const after = { prompts: [...before.prompts, `${prefix}secret_prompt`], resources: 1, templates: 1 };
      await expect.poll(() => offered(one), PATIENTLY).toEqual(after);
      const { messages } = await one.client.getPrompt({ name: `${prefix}secret_prompt` });
      expect(messages[0]?.content).toMatchObject({ text: 'secret prompt' });
      const read = await one.client.readResource({ uri: 'secret://anything' });
      expect(read.contents[0]).toMatchObject({ text: 'secret template' });
      expect(await offered(other)).toEqual(before);
      await expect(other.client.getPrompt({ name: `${prefix}secret_prompt` })).rejects.toThrow('secret_prompt');
      await expect(other.client.readResource({ uri: 'secret://anything' })).rejects.toThrow(/resource/iu);
    });
  });
});

it('a toolset offers a tool of a session where it names it, and hides what the session lost', async () => {
  const server_id = ids.get('streamable_http');
  const entries = ['login', 'guest', 'secret'].map((upstream_name) => ({ server_id, upstream_name }));
  const created = await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'chosen', entries });
  expect(created.status).toBe(200);
  await using one = await Person.at('/toolsets/chosen/mcp');
  const prefix = 'streamable_http__';
  expect(await one.tools()).toEqual([`${prefix}login`, `${prefix}guest`]);
  await one.call(`${prefix}login`);
  await expect.poll(() => one.told.tools, PATIENTLY).toBeGreaterThan(0);
  expect(await one.tools()).toEqual([`${prefix}login`, `${prefix}secret`]);
  expect(await one.call(`${prefix}secret`)).toBe('secret');
});

it('modern clients have no session, so they get what everybody gets', async () => {
  await using one = await Person.at('/servers/streamable_http/mcp');
  await one.call('login');
  const clients = await officialClientsAt(`${hub.url}/servers/streamable_http/mcp`);
  for (const client of clients) {
    const { tools } = (await client.ask('tools/list')) as { readonly tools: readonly { readonly name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(BEFORE);
    await client[Symbol.asyncDispose]();
  }
  await expect.poll(() => one.tools(), PATIENTLY).toEqual(AFTER);
});

it('where clients share a connection, a changed list is the list of all of them', async () => {
  if (workersOfTests() !== undefined) needsOwnProcess('connection that clients of all workers share');
  const server = await startLoginServer('streamable_http');
  servers.push(server);
  await register('together', { ...server.config, sharing: 'shared' });
  await using one = await Person.at('/servers/together/mcp');
  await using other = await Person.at('/servers/together/mcp');
  await one.call('login');
  await expect.poll(() => other.told.tools, PATIENTLY).toBeGreaterThan(0);
  expect(await other.tools()).toEqual(AFTER);
  expect(await other.call('secret')).toBe('secret');
});
