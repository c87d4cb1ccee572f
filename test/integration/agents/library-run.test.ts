/// <reference lib="esnext.disposable" />
import {
  agentFromHub,
  createMcpToolsFromAgent,
  createProvider,
  resilientProvider,
  runAgent,
  userText,
} from '@plugboard/agent';
import type { Agent, AgentDefinitionInput, AgentModel, ServerView } from '@plugboard/contract';
import { llmDouble } from '@plugboard/testing/llm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';
import {
  DOUBLE_MODELS,
  doubleUrl,
  expectTaskDone,
  PROVIDER_VARIABLES,
  scriptTask,
  taskServers,
} from '../../support/scripted-task.js';

type Provider = AgentModel['provider'];

/** The library connects to each server. */
const direct = async (): Promise<AgentDefinitionInput> => ({
  name: 'helper',
  servers: Object.entries(await taskServers()).map(([name, config]) => ({ name, config })),
});

/** The library connects to the gateway, with the key of an agent. */
const throughGateway = async (): Promise<AgentDefinitionInput> => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const server_ids: string[] = [];
  for (const [server_name, config] of Object.entries(await taskServers())) {
    const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config });
    server_ids.push((json as ServerView).id);
  }
  const agent = (await hubCall(hub.url, 'POST', '/v1/agents', { name: 'helper', server_ids })).json as Agent;
  const made = await hubCall(hub.url, 'POST', '/v1/keys', { name: 'helper', role: 'agent', agent_id: agent.id });
  return agentFromHub({ url: hub.url, key: (made.json as { key: string }).key });
};

const solve = async (kind: Provider, definition: AgentDefinitionInput): Promise<string> => {
  await using double = await llmDouble();
  const variables = PROVIDER_VARIABLES[kind];
  const provider = resilientProvider(
    createProvider(kind, { variable: (name) => variables[name], baseUrl: doubleUrl(double, kind) }),
  );
  onTestFinished(() => provider.close());
  await using tools = await createMcpToolsFromAgent(definition, { provider: provider.profile });
  scriptTask(
    double,
    tools.tools.map(({ name }) => name),
  );
  const messages = [userText('Do it.')];
  let text = '';
  for await (const event of runAgent({ provider, model: DOUBLE_MODELS[kind], tools, messages })) {
    if (event.type !== 'done') continue;
    expect(event.run).toMatchObject({ end: 'finished', turns: 4, toolCalls: 6 });
    ({ text } = event.run);
  }
  expectTaskDone(double);
  return text;
};

describe.each(Object.keys(DOUBLE_MODELS) as Provider[])('the agent loop with a model of %s', (kind) => {
  test.each([
    ['connects to servers of three transports', direct],
    ['uses them through the gateway', throughGateway],
  ])('%s, and solves the task though one of them is killed', async (_, agent) => {
    expect(await solve(kind, await agent())).toBe('Done: three');
  });
});
