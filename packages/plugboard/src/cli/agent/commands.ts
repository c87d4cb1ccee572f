import { type Command, Option } from 'commander';
import type { GrantFlags } from './agent-grants.js';
import type { ModelFlags } from './model-flags.js';
import { collect, type DefinitionTools } from '../command/define.js';
import { parseCount } from '../command/parse-number.js';
import { parseExpiry } from '../command/parse-expiry.js';

const actions = () => import('./agent-actions.js');

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

const withModelOptions = (command: Command): Command =>
  command
    .option('--model <provider:model>', 'the model that answers for the agent, such as anthropic:claude-sonnet-5-5')
    .option('--base-url <url>', 'an endpoint other than that of the provider')
    .option('--instructions <text>', 'instructions for the model (the system prompt)')
    .option('--max-tokens <count>', 'the maximum number of tokens in one answer', parseCount)
    .option(
      '--max-turns <count>',
      'the maximum number of requests to the model for one answer; default: 20',
      parseCount,
    )
    .option('--fallback <model>', 'a model of the same provider that answers if the first one fails')
    .addOption(
      new Option('--approval <rule>', 'destructive: do not call tools that may destroy something').choices([
        'none',
        'destructive',
      ]),
    )
    .option('--sampling-server <server>', 'a server that may ask the model (sampling); may be repeated', collect);

interface CreateOptions extends GrantOptions, ModelFlags {
  readonly description?: string;
  readonly var?: readonly string[];
}

const defineCreate = (agent: Command, { run }: DefinitionTools): void => {
  withModelOptions(
    agent
      .command('create')
      .summary('create an agent; it sees only what you give it')
      .argument('<name>', 'a short name of your choice'),
  )
    .option('--description <text>', 'what it is for')
    .option('--server <server>', 'a server the agent may use; may be repeated', collect)
    .option('--toolset <toolset>', 'a toolset the agent may use; may be repeated', collect)
    .option('--allow <server/tool>', 'a tool to allow; may be repeated', collect)
    .option('--deny <server/tool>', 'a tool to deny, even if another rule allows it; may be repeated', collect)
    .option(
      '--var <name>',
      'a variable, taken from the environment; NAME=- reads standard input; may be repeated',
      collect,
    )
    .action((name: string, options: CreateOptions, command: Command) =>
      run(command, actions, 'create', {
        ...options,
        name,
        grants: grantsOf(options),
        variables: options.var ?? [],
        model: options,
      }),
    );
};

interface SetOptions extends GrantOptions, ModelFlags {
  readonly name?: string;
  readonly description?: string | false;
}

const defineSet = (agent: Command, { run }: DefinitionTools): void => {
  withModelOptions(
    agent
      .command('set')
      .summary('change an agent; everything you do not name stays as it is')
      .argument('<agent>', 'name or id'),
  )
    .option('--no-model', 'remove the model')
    .option('--no-sampling-server', 'let no server ask the model')
    .option('--name <name>', 'a new name')
    .option('--description <text>', 'what it is for')
    .option('--no-description', 'remove the description')
    .option('--attach-server <server>', 'give the agent a server; may be repeated', collect)
    .option('--detach-server <server>', 'remove a server from the agent; may be repeated', collect)
    .option('--attach-toolset <toolset>', 'give the agent a toolset; may be repeated', collect)
    .option('--detach-toolset <toolset>', 'remove a toolset from the agent; may be repeated', collect)
    .option('--allow <server/tool>', 'allow a tool; may be repeated', collect)
    .option('--deny <server/tool>', 'deny a tool, even if another rule allows it; may be repeated', collect)
    .option('--forget <server/tool>', 'remove the allow or deny rule of a tool; may be repeated', collect)
    .action((name: string, options: SetOptions, command: Command) =>
      run(command, actions, 'set', { ...options, agent: name, grants: grantsOf(options), model: options }),
    );
};

const defineVariables = (agent: Command, { run }: DefinitionTools): void => {
  agent
    .command('set-variable')
    .summary('set a variable; its value is read from standard input or a prompt')
    .argument('<agent>', 'name or id')
    .argument('<name>', 'the name of the variable, such as API_KEY')
    .option('--from-env <name>', 'take the value from this environment variable')
    .action((name: string, variable: string, options: { fromEnv?: string }, command: Command) =>
      run(command, actions, 'setVariable', { ...options, agent: name, name: variable }),
    );
  agent
    .command('unset-variable')
    .summary('remove variables')
    .argument('<agent>', 'name or id')
    .argument('<names...>', 'the names of the variables')
    .action((name: string, names: readonly string[], _options: unknown, command: Command) =>
      run(command, actions, 'unsetVariable', { agent: name, names }),
    );
};

const defineKey = (agent: Command, { run }: DefinitionTools): void => {
  agent
    .command('key')
    .summary('create a key for the agent; it is shown once')
    .argument('<agent>', 'name or id')
    .option('--name <name>', 'a name for the key; default: the name of the agent')
    .option('--days <days>', 'days until the key expires; default: never', parseExpiry)
    .action((name: string, options: { name?: string; days?: string }, command: Command) =>
      run(command, actions, 'createKey', { ...options, agent: name, expiresAt: options.days }),
    );
};

export const defineAgentCommands = (tools: DefinitionTools): void => {
  const { run } = tools;
  const agent = tools.define('agent', 'manage agents: which tools they may call, with which variables');
  defineCreate(agent, tools);
  agent
    .command('list')
    .summary('list agents')
    .action((_options: unknown, command: Command) => run(command, actions, 'list', undefined));
  agent
    .command('show')
    .summary('show an agent; values of its variables are masked')
    .argument('<agent>', 'name or id')
    .action((name: string, _options: unknown, command: Command) => run(command, actions, 'show', { agent: name }));
  defineSet(agent, tools);
  defineVariables(agent, tools);
  defineKey(agent, tools);
  agent
    .command('remove')
    .summary('remove agents, and revoke their keys')
    .argument('<agents...>', 'names or ids')
    .action((agents: readonly string[], _options: unknown, command: Command) =>
      run(command, actions, 'remove', { agents }),
    );
};
