import { PlugboardError } from '@plugboard/contract';
import { type Command, Option } from 'commander';
import type { CallInput } from '../command/call.js';
import type { LintInput } from '../command/lint.js';
import { collect, type DefinitionTools, lazily } from './define.js';
import { parseSeconds } from './parse-seconds.js';

type CallOptions = Partial<Pick<CallInput, 'arg' | 'jsonArgs' | 'timeout' | 'validate' | 'toolset' | 'agent'>>;

const missingTool = (): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', 'The name of the tool is missing.', {
    hint: 'plugboard call <server> <tool>, or plugboard call --toolset <toolset> <tool>',
  });

const defineCall = ({ define, perform }: DefinitionTools): void => {
  define('call', 'call a tool')
    .usage('[options] <server> <tool>\n       plugboard call [options] --toolset <toolset> <tool>')
    .argument('<server>', 'name or id; left out with --toolset')
    .argument('[tool]', 'the name of the tool')
    .option('-a, --arg <name=value>', 'an argument, typed by the schema; name:=json for JSON; may be repeated', collect)
    .option('--json-args <json>', 'all arguments as one JSON object; - reads it from standard input')
    .option('--timeout <seconds>', 'how long the answer may take', parseSeconds)
    .option('--toolset <toolset>', 'a tool of this toolset, as it offers it')
    .option('--agent <agent>', 'use the variables and the login of this agent, by its name or id')
    .option('--no-validate', 'send the arguments even if the schema of the tool refuses them')
    .addHelpText(
      'after',
      `
Text of the result goes to stdout; other content is summarised there, and --json shows it whole.
Exit code 1 means that the tool itself reported an error.

Examples:
  plugboard call files read_text_file --arg path=README.md
  plugboard call sum add --arg a=1 --arg b=2
  echo '{"path": "README.md"}' | plugboard call files read_text_file`,
    )
    .action((first: string, second: string | undefined, options: CallOptions, command: Command) => {
      const tool = options.toolset === undefined ? second : first;
      if (tool === undefined) throw missingTool();
      return lazily(perform, command, () => import('../command/call.js'), {
        server: first,
        tool,
        toolset: options.toolset,
        agent: options.agent,
        arg: options.arg ?? [],
        jsonArgs: options.jsonArgs,
        timeout: options.timeout,
        validate: options.validate ?? true,
      });
    });
};

type LintOptions = Partial<Omit<LintInput, 'target'>>;

const defineLint = ({ define, perform }: DefinitionTools): void => {
  define('lint', 'grade tools, and say what providers and poisoning checks make of them')
    .usage('[options] <server|url|file>\n       plugboard lint [options] -- <command> [arguments...]')
    .argument('<target...>', 'a registered server, a URL, a file with tools (- for standard input), or a command')
    .addOption(new Option('--profile <profile>', 'how strictly schemas are graded').choices(['default', 'letta']))
    .option('--provider <provider>', 'judge by this provider or host only; may be repeated', collect)
    .option('--fix', 'print the list rewritten for the provider, or normalised when none is named')
    .option('--sarif', 'write SARIF for code scanning')
    .option('-v, --verbose', 'also advice, and what was rewritten')
    .option('--sse', 'the URL speaks the older HTTP+SSE transport')
    .option('--header <header>', 'a header to send, as "Name: value"; may be repeated', collect)
    .option('--token <token>', 'a bearer token; - reads it from standard input')
    .option('--env <name=value>', 'an environment variable of the command; may be repeated', collect)
    .option('--cwd <directory>', 'where the command runs')
    .addHelpText(
      'after',
      `
Nothing is registered. Exit code 1 means that a schema is invalid, a finding is an error, or a named provider
rejects a tool; 3 that the file holds no list of tools.

Examples:
  plugboard lint files --provider openai-strict
  plugboard lint tools.json --json
  plugboard lint -- npx -y @modelcontextprotocol/server-memory`,
    )
    .action((target: readonly string[], options: LintOptions, command: Command) =>
      lazily(perform, command, () => import('../command/lint.js'), {
        target,
        profile: options.profile ?? 'default',
        provider: options.provider ?? [],
        fix: options.fix ?? false,
        sarif: options.sarif ?? false,
        verbose: options.verbose ?? false,
        sse: options.sse ?? false,
        env: options.env ?? [],
        header: options.header ?? [],
        cwd: options.cwd,
        token: options.token,
      }),
    );
};

interface ToolsOptions {
  readonly toolset?: string;
  readonly provider?: string;
}

export const defineServerCommands = (tools: DefinitionTools): void => {
  const { define, perform } = tools;
  define('tools', 'list tools, or show one in full')
    .argument('[server]', 'name or id; all servers when left out')
    .argument('[tool]', 'the tool to show in full')
    .option('--toolset <toolset>', 'the tools of this toolset, as it offers them')
    .option(
      '--provider <provider>',
      "print the tools in this provider's own JSON, adapted to what it takes, such as openai-strict, anthropic, gemini or bedrock",
    )
    .action(
      (server: string | undefined, tool: string | undefined, { toolset, provider }: ToolsOptions, command: Command) =>
        lazily(perform, command, () => import('../command/tools.js'), {
          server: toolset === undefined ? server : undefined,
          tool: toolset === undefined ? tool : server,
          toolset,
          provider,
        }),
    );
  defineCall(tools);
  define('read', 'list the resources of a server, or read one')
    .argument('<server>', 'name or id')
    .argument('[uri]', 'the resource to read')
    .option('-o, --output <file>', 'write the content to a file')
    .action((server: string, uri: string | undefined, options: { output?: string }, command: Command) =>
      lazily(perform, command, () => import('../command/read.js'), { server, uri, output: options.output }),
    );
  define('prompt', 'list the prompts of a server, or fill one in')
    .argument('<server>', 'name or id')
    .argument('[prompt]', 'the prompt to fill in')
    .option('-a, --arg <name=value>', 'an argument of the prompt; may be repeated', collect)
    .action((server: string, name: string | undefined, options: { arg?: readonly string[] }, command: Command) =>
      lazily(perform, command, () => import('../command/prompt.js'), { server, name, arg: options.arg ?? [] }),
    );
  defineLint(tools);
};
