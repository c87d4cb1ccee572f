import { expect, test } from 'vitest';
import { agentFromHub } from './agent-from-hub.js';

test.each([
  [{ url: 'http://hub:2091' }, 'http://hub:2091/mcp', undefined],
  [{ url: 'http://hub:2091/', key: 'pb_1' }, 'http://hub:2091/mcp', 'Bearer pb_1'],
  [{ url: 'https://a.example/hub', toolset: 'read only' }, 'https://a.example/hub/toolsets/read%20only/mcp', undefined],
])('%j', (options, server_url, auth_token) => {
  const [server] = agentFromHub(options).servers;
  expect(server).toMatchObject({ enabled: true, is_hub: true, discovery: { mode: 'dynamic', allow: 'all' } });
  expect(server?.config).toEqual({
    mcp_server_type: 'streamable_http',
    server_url,
    ...(auth_token === undefined ? {} : { auth_token }),
  });
});
