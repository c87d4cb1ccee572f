import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpClient } from '@plugboard/client';
import type { Server } from '@plugboard/contract';
import {
  createEnvelopeSecretBox,
  createRegistry,
  openSqliteStore,
  type Registry,
  type ServerReach,
} from '@plugboard/registry';
import { brokenTools, manyToolsServer, type FakeServer, type HttpListener } from '@plugboard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const withClient = async <Result>(server: Server, work: (client: McpClient) => Promise<Result>): Promise<Result> => {
  const client = new McpClient({ config: server.config, name: server.server_name });
  try {
    return await work(client);
  } finally {
    await client[Symbol.asyncDispose]();
  }
};

const reach: ServerReach = {
  listTools: (server, options = {}) => withClient(server, (client) => client.listTools(options)),
  callTool: (server, call, options = {}) =>
    withClient(server, (client) => client.callTool(call.name, call.arguments, options)),
  protocol: () => undefined,
  release: async () => undefined,
  onToolsChanged: () => () => undefined,
};

describe('a server with 300 tools on 7 pages, 5 of them broken', () => {
  let home: string;
  let fake: FakeServer;
  let listener: HttpListener;
  let registry: Registry;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plugboard-many-'));
    fake = manyToolsServer({ broken: true });
    listener = await fake.listenHttp();
    const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(5) });
    const store = await openSqliteStore({ file: join(home, 'plugboard.db'), secretBox });
    registry = await createRegistry({ store, reach, clock: Date, log: quiet });
  });
  afterEach(async () => {
    await registry.close();
    await fake[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  it('syncs: those that can be kept are known, the broken ones named with reasons, the others work', async () => {
    const { server, sync } = await registry.registerServer({
      server_name: 'many',
      config: { mcp_server_type: 'streamable_http', server_url: listener.url },
    });
    // a definition of two megabytes is not kept at all
    const huge = 'broken_huge_description';
    expect(sync).toMatchObject({ status: 'partial', total: 300, updated: [], deleted: [] });
    expect(sync.failed).toMatchObject([{ name: huge, error: { message: 'The definition is larger than 256 KiB.' } }]);
    expect(sync.added).toHaveLength(299);
    expect(fake.counters.received('tools/list')).toBe(7);
    // a root without its type is repaired on the way to clients, so that tool is offered
    const mendable = 'broken_missing_type';
    const kept = brokenTools.map((tool) => tool.name).filter((name) => name !== huge);
    const unusable = kept.filter((name) => name !== mendable);
    expect(sync.skipped.map(({ name }) => name).toSorted()).toEqual(unusable.toSorted());
    expect(sync.repaired).toEqual([{ name: mendable, reasons: [expect.objectContaining({ rule: 'SCH-20' })] }]);
    const tools = await registry.listTools({ serverId: server.id });
    expect(tools).toHaveLength(299);
    expect(new Set(tools.filter((tool) => !tool.enabled).map((tool) => tool.upstream_name))).toEqual(new Set(unusable));
    for (const name of kept) {
      const reasons = tools.find((each) => each.upstream_name === name)?.grade.reasons ?? [];
      expect(reasons.length).toBeGreaterThan(0);
      if (name !== mendable) expect(sync.skipped).toContainEqual({ name, reasons });
    }
    const sound = tools.find((tool) => tool.upstream_name === 'tool_007');
    expect(sound?.enabled).toBe(true);
    const result = await registry.callTool(server.id, sound?.id ?? 'tool-x', { text: 'hello' });
    expect(result.content).toEqual([{ type: 'text', text: '7: hello' }]);
    expect(await registry.syncServer(server.id)).toMatchObject({ added: [], updated: [], deleted: [], total: 300 });
  });
});
