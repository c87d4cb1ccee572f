// All servers as one: tools of each under one endpoint, and calls that find their server.
import { HUB, step, textOf, withClient } from './hub.mjs';

await withClient('/mcp', async (client) => {
  const { tools } = await client.listTools();
  const servers = new Set(tools.map(({ name }) => name.split('__')[0]));
  for (const server of ['documents', 'collections', 'sandbox']) {
    step(`tools of ${server} are offered`, servers.has(server), [...servers]);
  }
  const [sum, formats] = await Promise.all([
    client.callTool({ name: 'sandbox__run_code', arguments: { code: '1 + 1' } }),
    client.callTool({ name: 'documents__get_supported_formats', arguments: {} }),
  ]);
  step('a call reaches the sandbox', textOf(sum).includes('2'), sum);
  step('a call reaches the documents', textOf(formats).includes('pdf'), formats);
});

const servers = await (await fetch(`${HUB}/servers`)).json();
step('docling and postman are known too', 'docling' in servers && 'postman' in servers, Object.keys(servers));
const tools = await (await fetch(`${HUB}/servers/docling/tools`)).json();
step(
  'and lead to the same tools',
  tools.some(({ name }) => name === 'convert_document'),
  tools,
);
