import type { PlugboardError } from '@plugboard/contract';
import type { Command } from 'commander';
import type { CallInput } from './call.js';
import { collect, type DefinitionTools } from '../command/define.js';
import { parseSeconds } from '../command/parse-number.js';
import { invalidArgument } from '../command/invalid-argument.js';

type CallOptions = Partial<Pick<CallInput, 'arg' | 'jsonArgs' | 'timeout' | 'validate' | 'toolset' | 'agent'>>;

const missingTool = (): PlugboardError =>
  invalidArgument(
    'The name of the tool is missing.',
    'plugboard call <server> <tool>, or plugboard call --toolset <toolset> <tool>',
  );

const defineCall = ({ define, run }: DefinitionTools): void => {
  define('call', 'call a tool')
    .usage('[options] <server> <tool>\n       plugboard call [options] --toolset <toolset> <tool>')
    .argument('<server>', 'name or id; omit it with --toolset')
    .argument('[tool]', 'the name of the tool')
    .option('-a, --arg <name=value>', 'an argument, typed by the schema; name:=json for JSON; may be repeated', collect)
    .option('--json-args <json>', 'all arguments as one JSON object; - reads it from standard input')
    .option('--timeout <seconds>', 'how long to wait for the result', parseSeconds)
    .option('--toolset <toolset>', 'call the tool as this toolset offers it')
    .option('--agent <agent>', 'use the variables and the login of this agent (name or id)')
    .option('--no-validate', 'send the arguments even if they do not match the schema of the tool')
    .addHelpText(
      'after',
      `
The text of the result goes to stdout. Other content is summarised; --json shows it in full.
Exit code 1 means that the tool itself reported an error.

Examples:
  plugboard call files read_text_file --arg path=README.md
  plugboard call sum add --arg a=1 --arg b=2
  echo '{"path": "README.md"}' | plugboard call files read_text_file`,
    )
    .action((first: string, second: string | undefined, options: CallOptions, command: Command) => {
      const tool = options.toolset === undefined ? second : first;
      if (tool === undefined) throw missingTool();
      return run(command, () => import('./call.js'), 'run', {
        arg: [],
        validate: true,
        ...options,
        server: first,
        tool,
      });
    });
};

const defineApprove = ({ define, run }: DefinitionTools): void => {
  define('approve', 'review changed tools and approve them for agents')
    .argument('<server>', 'name or id')
    .argument('[tools...]', 'the tools to approve; default: list the tools that wait for approval')
    .option('--all', 'approve all waiting tools of the server')
    .action((server: string, tools: readonly string[], options: { all?: boolean }, command: Command) =>
      run(command, () => import('./approve.js'), 'run', { server, tools, all: options.all ?? false }),
    );
};

const defineReject = ({ define, run }: DefinitionTools): void => {
  define('reject', 'reject the changes of tools, so that they no longer wait for approval')
    .argument('<server>', 'name or id')
    .argument('<tools...>', 'the tools whose present definition you do not want')
    .action((server: string, tools: readonly string[], _options: object, command: Command) =>
      run(command, () => import('./reject.js'), 'run', { server, tools }),
    );
};

interface ToolsOptions {
  readonly toolset?: string;
  readonly provider?: string;
  readonly library?: string;
}

export const defineToolCommands = (tools: DefinitionTools): void => {
  const { define, run } = tools;
  define('tools', 'list tools, or show one in full')
    .argument('[server]', 'name or id; default: all servers')
    .argument('[tool]', 'the tool to show in full')
    .option('--toolset <toolset>', 'list the tools of this toolset, as it offers them')
    .option(
      '--provider <provider>',
      'print the tools in the JSON format of this provider, adapted to its limits, such as openai-strict, openai-responses, anthropic, gemini or bedrock',
    )
    .option(
      '--library <library>',
      'print them in the JSON format of this library instead: langchain, ai-sdk or openai-agents; default provider: openai',
    )
    .action((server: string | undefined, tool: string | undefined, options: ToolsOptions, command: Command) =>
      run(command, () => import('./tools.js'), 'run', {
        server: options.toolset === undefined ? server : undefined,
        tool: options.toolset === undefined ? tool : server,
        ...options,
      }),
    );
  defineCall(tools);
  define('read', 'list the resources of a server, or read one')
    .argument('<server>', 'name or id')
    .argument('[uri]', 'the resource to read')
    .option('-o, --output <file>', 'write the content to a file')
    .action((server: string, uri: string | undefined, options: { output?: string }, command: Command) =>
      run(command, () => import('./read.js'), 'run', { server, uri, output: options.output }),
    );
  define('prompt', 'list the prompts of a server, or fill one in')
    .argument('<server>', 'name or id')
    .argument('[prompt]', 'the prompt to fill in')
    .option('-a, --arg <name=value>', 'an argument of the prompt; may be repeated', collect)
    .action((server: string, name: string | undefined, options: { arg?: readonly string[] }, command: Command) =>
      run(command, () => import('./prompt.js'), 'run', { server, name, arg: options.arg ?? [] }),
    );
  defineApprove(tools);
  defineReject(tools);
};
