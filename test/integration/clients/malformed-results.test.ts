import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { runCli } from '../../../packages/plugboard/src/cli/run-cli.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCall } from '../../support/hub-call.js';
import { PROMPT_RESULTS, READ_RESULTS, TOOL_RESULTS } from '../../support/malformed-results.js';
import { offeringServer, type OfferingServer } from '../../support/offering-server.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

/** What a server answers malformed is repaired for scripts and people as it is for MCP clients, and in the same way. */

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const schema = { type: 'object', properties: {} };

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub();
});
afterAll(() => hub.close());

const cli = async (...argv: readonly string[]) => {
  const fake = fakeProcess(argv, { env: { PLUGBOARD_HUB_URL: hub.url, PLUGBOARD_API_KEY: hub.key } });
  const code = await runCli(fake, {
    openHub: (process, url, settings) =>
      openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
  });
  return { code, ...fake.written };
};

describe.each(['legacy', 'modern'] as const)('a %s server', (era) => {
  const name = `odd-${era}`;
  let odd: OfferingServer;
  let id: string;
  let toolId: string;
  beforeAll(async () => {
    odd = await offeringServer(era);
    odd.results.set('tools/list', { tools: [{ name: 'odd', inputSchema: schema }] });
    odd.results.set('prompts/list', { prompts: [{ name: 'odd' }] });
    odd.results.set('resources/list', { resources: [{ uri: 'odd://1', name: 'odd' }] });
    odd.results.set('resources/templates/list', { resourceTemplates: [] });
    const body = { server_name: name, config: { mcp_server_type: 'streamable_http', server_url: odd.url } };
    ({ id } = (await hubCall(hub.url, 'POST', '/v1/mcp-servers', body)).json as { readonly id: string });
    const { json } = await hubCall(hub.url, 'GET', `/v1/mcp-servers/${id}/tools`);
    toolId = (json as readonly { readonly id: string }[])[0]?.id ?? '';
  });
  afterAll(() => odd[Symbol.asyncDispose]());

  it.each(TOOL_RESULTS)('whose tool answers with %s', async (_, result) => {
    odd.results.set('tools/call', result);
    const rest = await hubCall(hub.url, 'POST', `/servers/${name}/tools/odd`, {});
    expect(rest).toMatchObject({ status: 200, json: { content: expect.any(Array) } });
    const run = await hubCall(hub.url, 'POST', `/v1/mcp-servers/${id}/tools/${toolId}/run`, { args: {} });
    expect(run).toMatchObject({ status: 200, json: { func_return: expect.any(String) } });
    const named = await hubCall(hub.url, 'POST', `/v1/tools/mcp/servers/${name}/tools/odd/execute`, { args: {} });
    expect(named).toMatchObject({ status: 200, json: { result: expect.any(String) } });
    const { content } = rest.json as { readonly content: unknown };
    expect((run.json as { readonly result: unknown }).result).toMatchObject({ content });
    expect((named.json as { readonly tool_result: unknown }).tool_result).toMatchObject({ content });
    const isError = (rest.json as { readonly isError?: boolean }).isError === true;
    const typed = await cli('call', name, 'odd', '--json');
    expect({ code: typed.code, stderr: typed.stderr }).toEqual({ code: isError ? 1 : 0, stderr: '' });
    expect(JSON.parse(typed.stdout)).toMatchObject({ content });
  });

  it.each(READ_RESULTS)('whose resource is read as %s', async (_, result) => {
    odd.results.set('resources/read', result);
    const { code, stdout, stderr } = await cli('read', name, 'odd://1', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ contents: expect.any(Array) });
  });

  it.each(PROMPT_RESULTS)('whose prompt has %s', async (_, result) => {
    odd.results.set('prompts/get', result);
    const { code, stdout, stderr } = await cli('prompt', name, 'odd', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ messages: expect.any(Array) });
  });
});
