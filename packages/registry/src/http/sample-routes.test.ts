import { describe, expect, it } from 'vitest';
import { adminFixture, httpServer } from './test-support/admin-fixture.js';

describe('the sample servers', () => {
  it('are added by one request, and shown as servers are, without their secrets', async () => {
    const fixture = await adminFixture(
      {},
      {
        samples: { add: async () => [(await fixture.registry.registerServer(httpServer('sample'))).server] },
      },
    );
    const { status, body } = await fixture.call('POST', '/v1/samples');
    expect([status, body]).toEqual([200, [expect.objectContaining({ server_name: 'sample', tool_count: 2 })]]);
    expect(JSON.stringify(body)).not.toContain('token-of-some-length');
    expect((await fixture.call('GET', '/v1/mcp-servers')).body).toHaveLength(1);
  });

  it('are missing from a hub that has none', async () => {
    const { call } = await adminFixture();
    expect(await call('POST', '/v1/samples')).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });
});
