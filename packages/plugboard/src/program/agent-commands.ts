import type { Command } from 'commander';
import type { GrantFlags } from '../command/agent-grants.js';
import { collect, type DefinitionTools, lazily } from './define.js';
import { parseDays } from './parse-days.js';

interface GrantOptions {
  readonly server?: readonly string[];
  readonly attachServer?: readonly string[];
  readonly detachServer?: readonly string[];
  readonly toolset?: readonly string[];
  readonly attachToolset?: readonly string[];
  readonly detachToolset?: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly forget?: readonly string[];
}

const grantsOf = (options: GrantOptions): GrantFlags => ({
  attachServer: options.server ?? options.attachServer ?? [],
  detachServer: options.detachServer ?? [],
  attachToolset: options.toolset ?? options.attachToolset ?? [],
  detachToolset: options.detachToolset ?? [],
  allow: options.allow ?? [],
  deny: options.deny ?? [],
  forget: options.forget ?? [],
});

interface CreateOptions extends GrantOptions {
  readonly description?: string;
  readonly var?: readonly string[];
}

const defineCreate = (agent: Command, { perform }: DefinitionTools): void => {
  agent
    .command('create')
    .summary('make an agent; it sees only what it is given')
    .argument('<name>', 'a short name of your choice')
    .option('--description <text>', 'what it is for')
    .option('--server <server>', 'a server it may use; may be repeated', collect)
    .option('--toolset <toolset>', 'a toolset it may use; may be repeated', collect)
    .option('--allow <server/tool>', 'a tool it may call; may be repeated', collect)
    .option('--deny <server/tool>', 'a tool it may not call, whatever else it was given; may be repeated', collect)
    .option('--var <name>', 'a variable, from the environment; NAME=- reads standard input; may be repeated', collect)
    .action((name: string, options: CreateOptions, command: Command) =>
      lazily(perform, command, () => import('../command/agent-create.js'), {
        name,
        description: options.description,
        grants: grantsOf(options),
        variables: options.var ?? [],
      }),
    );
};

interface SetOptions extends GrantOptions {
  readonly name?: string;
  readonly description?: string | false;
}

const defineSet = (agent: Command, { perform }: DefinitionTools): void => {
  agent
    .command('set')
    .summary('change an agent; what is not named stays as it is')
    .argument('<agent>', 'name or id')
    .option('--name <name>', 'a new name')
    .option('--description <text>', 'what it is for')
    .option('--no-description', 'remove the description')
    .option('--attach-server <server>', 'give it a server; may be repeated', collect)
    .option('--detach-server <server>', 'take a server from it; may be repeated', collect)
    .option('--attach-toolset <toolset>', 'give it a toolset; may be repeated', collect)
    .option('--detach-toolset <toolset>', 'take a toolset from it; may be repeated', collect)
    .option('--allow <server/tool>', 'let it call a tool; may be repeated', collect)
    .option('--deny <server/tool>', 'keep a tool from it, whatever else it was given; may be repeated', collect)
    .option('--forget <server/tool>', 'neither allow nor deny the tool any more; may be repeated', collect)
    .action((name: string, options: SetOptions, command: Command) =>
      lazily(perform, command, () => import('../command/agent-set.js'), {
        agent: name,
        name: options.name,
        description: options.description,
        grants: grantsOf(options),
      }),
    );
};

const defineVariables = (agent: Command, { perform }: DefinitionTools): void => {
  agent
    .command('set-variable')
    .summary('set a variable; its value is read from standard input, or asked for')
    .argument('<agent>', 'name or id')
    .argument('<name>', 'the name of the variable, such as API_KEY')
    .option('--from-env <name>', 'take the value from this environment variable')
    .action((name: string, variable: string, options: { fromEnv?: string }, command: Command) =>
      lazily(perform, command, () => import('../command/agent-set-variable.js'), {
        agent: name,
        name: variable,
        fromEnv: options.fromEnv,
      }),
    );
  agent
    .command('unset-variable')
    .summary('remove variables')
    .argument('<agent>', 'name or id')
    .argument('<names...>', 'the names of the variables')
    .action((name: string, names: readonly string[], _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/agent-unset-variable.js'), { agent: name, names }),
    );
};

const defineKey = (agent: Command, { perform }: DefinitionTools): void => {
  agent
    .command('key')
    .summary('make a key with which the agent calls; it is shown once')
    .argument('<agent>', 'name or id')
    .option('--name <name>', 'what you call the key; the name of the agent when left out')
    .option('--days <days>', 'how long it is valid; for ever when left out', parseDays)
    .action((name: string, options: { name?: string; days?: number }, command: Command) =>
      lazily(perform, command, () => import('../command/agent-key.js'), {
        agent: name,
        name: options.name,
        days: options.days,
      }),
    );
};

export const defineAgentCommands = (tools: DefinitionTools): void => {
  const { perform } = tools;
  const agent = tools.define('agent', 'agents: who may call which tools, with which variables');
  defineCreate(agent, tools);
  agent
    .command('list')
    .summary('list agents')
    .action((_options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/agent-list.js'), undefined),
    );
  agent
    .command('show')
    .summary('show an agent; values of its variables are masked')
    .argument('<agent>', 'name or id')
    .action((name: string, _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/agent-show.js'), { agent: name }),
    );
  defineSet(agent, tools);
  defineVariables(agent, tools);
  defineKey(agent, tools);
  agent
    .command('remove')
    .summary('remove agents, and revoke their keys')
    .argument('<agents...>', 'names or ids')
    .action((agents: readonly string[], _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/agent-remove.js'), { agents }),
    );
  for (const command of agent.commands) command.description(command.summary());
};
