import { expect, it } from 'vitest';
import { DEFAULT_ACCESS } from '../settings/access-settings.js';
import { memoryHub } from '../test-support/memory-hub.js';

const oauth = {
  issuer: 'https://login.example',
  audience: 'https://hub.example',
  jwksUri: 'https://login.example/jwks',
};

it('describes itself to clients and to authorization servers where others can reach it', async () => {
  await using rig = Object.assign(
    await memoryHub({
      publicUrl: 'https://hub.example',
      access: { ...DEFAULT_ACCESS, oauth } as never,
    }),
    { [Symbol.asyncDispose]: () => rig.close() },
  );
  const document = await rig.ask('/v1/oauth/client-metadata.json');
  expect(document.json()).toMatchObject({ client_id: 'https://hub.example/v1/oauth/client-metadata.json' });
  const resource = await rig.ask('/.well-known/oauth-protected-resource');
  expect(resource.json()).toMatchObject({ authorization_servers: ['https://login.example'] });
  const refused = await rig.ask('/v1/mcp-servers');
  expect(refused.headers['www-authenticate']).toContain('resource_metadata="https://hub.example');
});

it('ends answers whose key was revoked, and no others', async () => {
  const rig = await memoryHub();
  try {
    const bearer = { authorization: `Bearer ${rig.hub.localKey}` };
    const created = await rig.ask('/v1/keys', {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'reader', role: 'viewer' }),
    });
    const { key, id } = created.json() as { key: string; id: string };
    const ended: string[] = [];
    const answer = (name: string, headers: object) =>
      ({ req: { url: '/servers', headers, socket: {} }, destroy: () => ended.push(name) }) as never;
    const open = [answer('key', { authorization: `Bearer ${key}` }), answer('local', bearer), answer('nobody', {})];
    await rig.hub.endUnproven(open);
    expect(ended).toEqual(['nobody']);
    await rig.ask(`/v1/keys/${id}`, { method: 'DELETE', headers: bearer });
    await rig.hub.endUnproven(open.slice(0, 2));
    expect(ended).toEqual(['nobody', 'key']);
  } finally {
    await rig.close();
  }
});
