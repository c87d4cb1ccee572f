// Plugboard's own client in a conformance scenario: `node own-client.mjs <server of the scenario>`.
import { McpClient } from '@plugboard/client';
import { callsFor, valuesOf } from './scenario.mjs';

const [serverUrl] = process.argv.slice(2);
const client = new McpClient({ config: { mcp_server_type: 'streamable_http', server_url: serverUrl } });
client.onRequest('elicitation/create', ({ params }) => ({
  action: 'accept',
  content: valuesOf(params.requestedSchema),
}));
try {
  const tools = await client.listTools();
  for (const call of callsFor(tools)) await client.callTool(call.name, call.arguments);
  const { resources, prompts } = client.capabilities ?? {};
  if (resources !== undefined) {
    for (const { uri } of await client.listResources()) await client.readResource(uri);
  }
  if (prompts !== undefined) {
    for (const { name } of await client.listPrompts()) await client.getPrompt(name);
  }
} finally {
  await client.dispose();
}
