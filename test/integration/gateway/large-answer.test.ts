import { fakeServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { officialClientsAt } from '../../support/official-clients.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

/** An answer of 20 MB through a hub as it is installed, which passes on 16 MiB. */

const MIB = 1024 * 1024;
const TEXT = 'large answer '.repeat(20_000_000 / 13);

let hub: RealHub;
let server: FakeServer;
beforeAll(async () => {
  server = fakeServer({ tools: [{ name: 'large', handler: () => ({ content: [{ type: 'text', text: TEXT }] }) }] });
  const { url: server_url } = await server.listenHttp();
  hub = await startRealHub();
  const config = { mcp_server_type: 'streamable_http', server_url };
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'one', config });
});
afterAll(async () => {
  await hub.close();
  await server.close();
});

it('is cut, and every official client is told how much is missing and which setting decides that', async () => {
  for (const client of await officialClientsAt(`${hub.url}/servers/one/mcp`)) {
    const result = (await client.ask('tools/call', { name: 'large', arguments: {} })) as {
      readonly isError?: boolean;
      readonly content: readonly { readonly text: string }[];
      readonly _meta: Readonly<Record<string, unknown>>;
    };
    await client[Symbol.asyncDispose]();
    const [kept, told] = result.content.map(({ text }) => text);
    expect(result.isError).not.toBe(true);
    expect(TEXT.startsWith(kept ?? '')).toBe(true);
    const cut = TEXT.length - (kept ?? '').length;
    expect(told).toBe(
      `[Plugboard: ${cut} bytes of text were cut off here. The result has 19.07 MiB; this hub passes on at most 16.00 MiB ` +
        'of a result (guard.maxResultBytes in plugboard.json). Request less data, or a part of it.]',
    );
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(16 * MIB);
    expect(result._meta['dev.plugboard/cut']).toMatchObject({ limit: 16 * MIB, text_bytes_cut: cut });
  }
});
