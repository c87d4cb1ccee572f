import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { rawHttpClient } from '@plugboard/testing';
import { describe, expect, it } from 'vitest';
import { startRig } from './rig.js';

const LOCATE = {
  name: 'locate',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      level: { type: 'integer', 'x-mcp-header': 'Level' },
    },
    required: ['region'],
  },
  handler: (args: unknown) => JSON.stringify(args),
};

/** A modern server refuses calls whose headers do not mirror the parameters that its tool names. */
const start = () => startRig({ tools: [LOCATE], eras: 'modern' });

describe('a parameter that no header can carry', () => {
  it.each([
    ['region', { region: ['north'] }],
    ['level', { region: 'north', level: 2.5 }],
  ])('is explained to a legacy client, which knows of no headers: %s', async (name, args) => {
    await using rig = await start();
    const client = new Client({ name: 'probe', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(rig.url));
    expect(await client.callTool({ name: 'locate', arguments: { region: 'north', level: 3 } })).toMatchObject({
      content: [{ text: '{"region":"north","level":3}' }],
    });
    const refused = await client.callTool({ name: 'locate', arguments: args });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(`/${name}: `) }] });
    await client.close();
  });

  it('stays what the server says of it to a modern client', async () => {
    await using rig = await start();
    const raw = rawHttpClient(rig.url.href, { era: 'modern' });
    const answer = await raw.request('tools/call', { name: 'locate', arguments: { region: ['north'] } });
    expect(answer.status).toBe(400);
    expect(answer.response).toMatchObject({ error: { code: -32020 } });
  });
});
