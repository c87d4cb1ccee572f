import { EXIT, type ExitCode, type Agent, PlugboardError } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import { changedGrants, type GrantFlags, NO_GRANTS } from './agent-grants.js';
import type { CommandContext } from '../command/command-context.js';
import { changedModel, type ModelFlags } from './model-flags.js';
import { showAgent } from './show-agent.js';
import { readVariables, assertVariableName } from '../input/variable-flags.js';
import { shellQuote } from '../../terminal/shell-quote.js';
import type { Style } from '../../terminal/style.js';
import type { Column } from '../../terminal/table.js';
import { showList } from '../render/show-list.js';
import { secretValue } from '../input/secret-value.js';
import { keyClient } from '../../hub-api/client/key-client.js';
import { tellNewKey } from '../render/new-key-words.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface AgentCreateInput {
  readonly name: string;
  readonly description?: string | undefined;
  readonly grants: GrantFlags;
  readonly variables: readonly string[];
  readonly model: ModelFlags;
}

export const create = async (context: CommandContext, input: AgentCreateInput): Promise<ExitCode> => {
  const variables = await readVariables(input.variables, context.process);
  const client = await context.hub();
  const made = await agentClient(client.api).create({
    name: input.name,
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(await changedGrants(client, NO_GRANTS, input.grants)),
    ...changedModel(undefined, input.model),
  });
  await showAgent(context, client, made);
  context.out.note(`A key for it: plugboard agent key ${shellQuote([made.name])}`);
  return EXIT.ok;
};

const columns = (style: Style): readonly Column<Agent>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'SERVERS', text: ({ server_ids }) => String(server_ids.length), align: 'right' },
  { title: 'TOOLSETS', text: ({ toolset_ids }) => String(toolset_ids.length), align: 'right' },
  { title: 'ALLOWED', text: ({ allow_tool_ids }) => String(allow_tool_ids.length), align: 'right' },
  { title: 'DENIED', text: ({ deny_tool_ids }) => String(deny_tool_ids.length), align: 'right' },
  { title: 'VARIABLES', text: ({ variables }) => Object.keys(variables).join(', '), shrinkTo: 10 },
  { title: 'ID', text: ({ id }) => id, paint: style.dim, shrinkTo: 12 },
];

export const list = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  return showList(out, await agentClient((await hub()).api).list(), {
    columns,
    name: ({ name }) => name,
    none: 'No agents exist yet. Create one: plugboard agent create <name>',
  });
};

export const show = async (context: CommandContext, { agent }: { readonly agent: string }): Promise<ExitCode> => {
  const client = await context.hub();
  await showAgent(context, client, await agentClient(client.api).get(agent));
  return EXIT.ok;
};

export interface AgentSetInput {
  readonly agent: string;
  readonly name?: string | undefined;
  /** False: remove it. */
  readonly description?: string | false | undefined;
  readonly grants: GrantFlags;
  readonly model: ModelFlags;
}

export const set = async (context: CommandContext, input: AgentSetInput): Promise<ExitCode> => {
  const { name, description } = input;
  const client = await context.hub();
  const changed = await agentClient(client.api).change(input.agent, async (before) => {
    const update = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description: description === false ? null : description }),
      ...(await changedGrants(client, before, input.grants)),
      ...changedModel(before.model, input.model),
    };
    if (Object.keys(update).length === 0) {
      throw invalidArgument('No change was given.', 'See `plugboard agent set --help` for what can be changed.');
    }
    return update;
  });
  await showAgent(context, client, changed);
  return EXIT.ok;
};

export interface AgentSetVariableInput {
  readonly agent: string;
  readonly name: string;
  readonly fromEnv?: string | undefined;
}

export const setVariable = async (context: CommandContext, input: AgentSetVariableInput): Promise<ExitCode> => {
  assertVariableName(input.name);
  const client = await context.hub();
  const agents = agentClient(client.api);
  const { id } = await agents.get(input.agent);
  const value = await secretValue({ of: input.name, fromEnv: input.fromEnv }, context.process);
  // The others come back masked, and the hub keeps what it gets back unchanged.
  const changed = await agents.change(id, ({ variables }) => ({ variables: { ...variables, [input.name]: value } }));
  await showAgent(context, client, changed);
  return EXIT.ok;
};

export interface AgentUnsetVariableInput {
  readonly agent: string;
  readonly names: readonly string[];
}

export const unsetVariable = async (
  context: CommandContext,
  { agent, names }: AgentUnsetVariableInput,
): Promise<ExitCode> => {
  const client = await context.hub();
  const changed = await agentClient(client.api).change(agent, ({ name, variables }) => {
    const unknown = names.filter((each) => !Object.hasOwn(variables, each));
    if (unknown.length > 0) {
      throw new PlugboardError('NOT_FOUND', `${name} has no variable ${unknown.join(', ')}.`, {
        hint: `It has ${Object.keys(variables).join(', ') || 'none'}.`,
      });
    }
    return { variables: Object.fromEntries(Object.entries(variables).filter(([each]) => !names.includes(each))) };
  });
  await showAgent(context, client, changed);
  return EXIT.ok;
};

export interface AgentKeyInput {
  readonly agent: string;
  readonly name?: string | undefined;
  readonly expiresAt?: string | undefined;
}

export const createKey = async ({ out, hub }: CommandContext, input: AgentKeyInput): Promise<ExitCode> => {
  const client = await hub();
  const agent = await agentClient(client.api).get(input.agent);
  const made = await keyClient(client.api).create({
    name: input.name ?? agent.name,
    role: 'agent',
    agent_id: agent.id,
    ...(input.expiresAt === undefined ? {} : { expires_at: input.expiresAt }),
  });
  tellNewKey(made, out);
  return EXIT.ok;
};

export const remove = async (
  { out, hub }: CommandContext,
  input: { readonly agents: readonly string[] },
): Promise<ExitCode> => {
  const agents = agentClient((await hub()).api);
  const found: Agent[] = [];
  // All are looked up before the first is removed, so that a typing error changes nothing.
  for (const name of input.agents) found.push(await agents.get(name));
  for (const { id } of found) await agents.remove(id);
  out.data(found.map(({ id, name }) => ({ id, name })));
  if (!out.quiet) {
    for (const { name } of found) out.text(`${out.style.green('✓')} ${out.style.bold(name)} is removed, and its keys.`);
  }
  return EXIT.ok;
};
