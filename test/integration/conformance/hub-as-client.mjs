// Makes a hub the client of a conformance scenario: `node hub-as-client.mjs <hub> <its key> <server of the scenario>`. It registers
// that server and does through the hub whatever the server offers, as a user's client of the same revision would.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { rawHttpClient } from '@plugboard/testing';
import { callsFor, revision, valuesOf } from './scenario.mjs';

const [hub, key, serverUrl] = process.argv.slice(2);
const modern = revision >= '2026-07-28';
const name = `scenario-${new URL(serverUrl).port}`;
const endpoint = `${hub}/servers/${name}/mcp`;

const admin = async (method, path, body) => {
  const response = await fetch(hub + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
};

const connect = async () => {
  const client = new Client(
    { name: 'scenario-driver', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: modern ? { pin: revision } : 'legacy' },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: valuesOf(params.requestedSchema),
  }));
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  return client;
};

/** Read without a library, which would hide the tools that a client must not call. */
const listedTools = async () => {
  const raw = rawHttpClient(endpoint, { era: modern ? 'modern' : 'legacy' });
  if (!modern) await raw.initialize(revision);
  const { response, status, text } = await raw.request('tools/list');
  if (response?.result === undefined) throw new Error(`tools/list: ${status} ${text}`);
  if (raw.sessionId !== undefined) await raw.fetch('DELETE');
  return response.result.tools;
};

const callTools = async (client) => {
  const tools = await listedTools();
  await client.listTools();
  await Promise.all(callsFor(tools).map((call) => client.callTool(call)));
};

const useTheRest = async (client) => {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  if (resources !== undefined) {
    const listed = await client.listResources();
    for (const { uri } of listed.resources) await client.readResource({ uri });
  }
  if (prompts !== undefined) {
    const listed = await client.listPrompts();
    for (const prompt of listed.prompts) await client.getPrompt({ name: prompt.name, arguments: {} });
  }
};

const { id } = await admin('POST', '/v1/mcp-servers/', {
  server_name: name,
  config: { mcp_server_type: 'streamable_http', server_url: serverUrl },
});
try {
  const client = await connect();
  try {
    await callTools(client);
    await useTheRest(client);
  } finally {
    await client.close();
  }
} finally {
  // The scenario's server waits for its connections, so they have to end before it does.
  await admin('DELETE', `/v1/mcp-servers/${id}`);
}
