// A server is restarted under its client: the same connection goes on working, and other servers notice nothing.
import { admin, HUB, step, textOf, withClient } from './hub.mjs';

const run = async (client, code) => textOf(await client.callTool({ name: 'run_code', arguments: { code } }));

const servers = await (await fetch(`${HUB}/servers`)).json();
const enable = (enabled) => admin('PATCH', `/v1/mcp-servers/${servers.sandbox.id}`, { enabled });

await withClient('/servers/sandbox/mcp', async (client) => {
  step('it works before', (await run(client, '20 + 1')).includes('21'), 'no answer');
  await enable(false);
  const refused = await run(client, '1').then(
    () => 'it was called',
    (error) => error.message,
  );
  step('disabled, it says so', refused.includes('is disabled'), refused);
  await withClient('/servers/documents/mcp', async (other) => {
    const { tools } = await other.listTools();
    step('another server is untouched', tools.length > 0, tools);
  });
  await enable(true);
  step('the same client goes on', (await run(client, '20 + 2')).includes('22'), 'no answer');
});
