// Makes a hub the client of an authorization scenario: `node auth-through-hub.mjs <hub> <its key> <server of the scenario>`. It
// registers that server, lists and calls its tools through the hub, and goes wherever the hub says somebody has to log in.
const [hub, key, serverUrl] = process.argv.slice(2);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const name = `scenario-${new URL(serverUrl).port}`;
const MAX_LOGINS = 5;

const ask = async (method, path, body) => {
  const response = await fetch(hub + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { ok: response.ok, json: text === '' ? undefined : JSON.parse(text) };
};

/** What a browser would do; the authorization server of the suite asks nobody anything. */
const visit = async (url) => {
  const begun = await fetch(url, { redirect: 'manual' });
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  let next = new URL(begun.headers.get('location'));
  // The cookie is for the hub alone.
  while (next.origin !== new URL(hub).origin) {
    const hop = await fetch(next, { redirect: 'manual' });
    next = new URL(hop.headers.get('location'), next);
  }
  const answer = await fetch(next, { headers: { cookie } });
  const { status, message } = await answer.json();
  if (status !== 'success') throw new Error(message);
};

/** Repeats a request whenever somebody had to log in first. */
const withLogins = async (request) => {
  for (let logins = 0; ; logins += 1) {
    const { ok, json } = await request();
    const error = json?.error;
    if (ok && error === undefined) return json;
    const issuer = error?.details?.issuer;
    if (issuer !== undefined && oauth.issuer === undefined) {
      // An operator would look whether this is the one that the secret was made for.
      oauth.issuer = issuer;
      await ask('PATCH', `/v1/mcp-servers/${server.id}`, { config: { oauth } });
      continue;
    }
    const url = error?.details?.authorization_url;
    if (url === undefined || logins === MAX_LOGINS) throw new Error(`${error?.code}: ${error?.message}`);
    await visit(url);
  }
};

const oauth = {
  ...(context.client_id === undefined ? {} : { client_id: context.client_id }),
  ...(context.client_secret === undefined ? {} : { client_secret: context.client_secret }),
  ...(context.private_key_pem === undefined
    ? {}
    : { private_key: context.private_key_pem, token_endpoint_auth: 'private_key_jwt' }),
  ...(process.env.MCP_CONFORMANCE_SCENARIO?.includes('client-credentials') ? { grant: 'client_credentials' } : {}),
};
const { json: server } = await ask('POST', '/v1/mcp-servers', {
  server_name: name,
  config: {
    mcp_server_type: 'streamable_http',
    server_url: serverUrl,
    ...(Object.keys(oauth).length === 0 ? {} : { oauth }),
  },
});
try {
  await withLogins(() => ask('POST', `/v1/mcp-servers/${server.id}/sync`, {}));
  await withLogins(() => ask('POST', `/servers/${name}/tools/test-tool`, {}));
} finally {
  // The scenario's server waits for its connections, so they have to end before it does.
  await ask('DELETE', `/v1/mcp-servers/${server.id}`);
}
