import { PlugboardError } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { fakeHub } from '../../test-support/fake-hub.js';
import { aServer } from '../../test-support/shapes.js';
import { hubClient } from './hub-client.js';
import { usableServer, usableTools } from './usable-tools.js';

const server = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'x', args: [] } });

const denied = (): never => {
  throw new PlugboardError('PERMISSION_DENIED', 'The key of an agent does not open this.');
};

/** The hub as somebody with the key of an agent sees it. */
const forAgent = (tools: unknown) =>
  hubClient(
    fakeHub({
      answers: {
        '/v1/mcp-servers': denied,
        '/servers': { files: {}, old: { alias_of: 'files' } },
        '/servers/files/tools': tools,
      },
    }).api,
  );

it('is found by operators with its id, and by agents by its name', async () => {
  const operator = hubClient(fakeHub({ servers: [server], tools: { files: [{ name: 'read' }] } }).api);
  const place = await usableServer(operator, 'files');
  expect(place).toEqual({ kind: 'servers', name: 'files', id: server.id });
  expect(await usableTools(operator, place)).toMatchObject([{ upstream_name: 'read' }]);
  expect(await usableServer(forAgent([]), 'files')).toEqual({ kind: 'servers', name: 'files' });
});

it('lists what an agent may call', async () => {
  const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
  expect(await usableTools(forAgent(tools), { kind: 'servers', name: 'files' })).toMatchObject([
    { upstream_name: 'read', description: null, input_schema: { type: 'object' }, enabled: true },
  ]);
  await expect(usableTools(forAgent('nonsense'), { kind: 'servers', name: 'files' })).rejects.toMatchObject({
    code: 'INTERNAL',
  });
});

it('names what an agent may use instead of what it may not', async () => {
  await expect(usableServer(forAgent([]), 'fils')).rejects.toMatchObject({
    code: 'SERVER_NOT_FOUND',
    hint: 'Did you mean "files"? It may use: files.',
  });
});
