import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROUTE_ROLES, type RouteId } from '../../../packages/plugboard/src/access/route-roles.js';
import { DEFAULT_ACCESS } from '../../../packages/plugboard/src/settings/access-settings.js';
import { hubCall, hubCallWith } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

/** Another user of the machine reaches loopback as well, but not the files of the hub's owner. */
let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub();
});
afterAll(() => hub.close());

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

interface Operation {
  readonly operationId: RouteId;
}

const operations = async () => {
  const { json } = await hubCallWith(hub.url, undefined)('GET', '/openapi.json');
  const { paths } = json as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
  );
};

describe('on a fresh hub on loopback, somebody without the key of its home', () => {
  const stranger = (method: string, path: string, body?: unknown) =>
    hubCallWith(hub.url, undefined)(method, path, body);

  it('cannot register a program', async () => {
    const marker = join(tmpdir(), `plugboard-local-user-${process.pid}`);
    const program = {
      mcp_server_type: 'stdio',
      command: process.execPath,
      args: ['-e', `fs.writeFileSync('${marker}', '')`],
    };
    onTestFinished(() => rm(marker, { force: true }));
    const answer = await stranger('POST', '/v1/mcp-servers', { server_name: 'evil', config: program });
    expect(answer).toMatchObject({ status: 401, json: { error: { code: 'UNAUTHENTICATED' } } });
    await expect(stat(marker)).rejects.toThrow('ENOENT');
  });

  it('can use no operation of the admin API but those for everybody', async () => {
    const all = await operations();
    expect(all.length).toBeGreaterThan(50);
    for (const { operationId, method, path } of all) {
      const open = ROUTE_ROLES[operationId] === 'everybody' || operationId === 'readMetrics';
      const response = await fetch(hub.url + path.replaceAll(/\{\w+\}/gu, 'none'), { method });
      await response.body?.cancel();
      expect([operationId, response.status === 401]).toEqual([operationId, !open]);
    }
  });

  it('can use tools, as the owner allows', async () => {
    expect((await stranger('GET', '/servers')).status).toBe(200);
    expect((await stranger('POST', '/mcp', INITIALIZE)).status).toBe(200);
    expect((await stranger('POST', '/servers/none/tools/none', {})).json).toMatchObject({
      error: { code: 'SERVER_NOT_FOUND' },
    });
  });

  it('is not let in with a key that is wrong', async () => {
    const liar = hubCallWith(hub.url, 'pb_local_wrong');
    expect((await liar('GET', '/v1/mcp-servers')).status).toBe(401);
    expect((await liar('POST', '/mcp', INITIALIZE)).status).toBe(401);
  });
});

it('the key of the home opens everything', async () => {
  expect((await hubCall(hub.url, 'GET', '/v1/keys')).status).toBe(200);
});

it('a setting closes the tools as well', async () => {
  const closed = await startRealHub({ settings: { access: { ...DEFAULT_ACCESS, required: true } } });
  onTestFinished(() => closed.close());
  expect((await hubCallWith(closed.url, undefined)('POST', '/mcp', INITIALIZE)).status).toBe(401);
  expect((await hubCall(closed.url, 'POST', '/mcp', INITIALIZE)).status).toBe(200);
});
