import { type Command, Option } from 'commander';
import { collect, type DefinitionTools } from '../command/define.js';
import { parseCount } from '../command/parse-number.js';

interface ChatOptions {
  readonly model?: string;
  readonly agent?: string;
  readonly fallback?: string;
  readonly baseUrl?: string;
  readonly toolset?: readonly string[];
  readonly instructions?: string;
  readonly maxTurns?: number;
  readonly thinking?: boolean;
  readonly yes?: boolean;
  readonly transcript?: string;
  readonly record?: string;
}

const HELP = `
With --model, the key of the provider is taken from the environment: OPENAI_API_KEY, ANTHROPIC_API_KEY, or AWS_REGION with
AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. With --agent, the hub asks the model of the agent, with the keys that it keeps encrypted.

Examples:
  plugboard chat --model anthropic:claude-sonnet-5-5
  plugboard chat --agent researcher
  plugboard chat --model openai:gpt-4.1 --toolset reading 'What changed since yesterday?'
  plugboard chat --model openai:llama3 --base-url http://127.0.0.1:11434/v1`;

export const defineChatCommand = ({ define, run }: DefinitionTools): void => {
  define('chat', 'talk to a model that uses the tools of the hub, or to an agent of the hub')
    .argument('[message...]', 'your question; without it, the command reads from the terminal or from standard input')
    .option('--model <provider:model>', 'the provider (openai, openai-responses, anthropic, bedrock) and its model')
    .addOption(
      new Option('--agent <agent>', 'an agent of the hub that has a model, in place of --model').conflicts([
        'model',
        'baseUrl',
        'fallback',
        'maxTurns',
        'record',
      ]),
    )
    .option('--base-url <url>', 'an endpoint other than that of the provider')
    .option('--fallback <model>', 'a model of the same provider that answers if the first one fails')
    .option('--toolset <toolset>', 'use only the tools of this toolset; may be repeated', collect)
    .option('--instructions <text>', 'instructions for the model (the system prompt)')
    .option(
      '--max-turns <count>',
      'the maximum number of requests to the model for one answer; default: 20',
      parseCount,
    )
    .option('--thinking', 'let the model think before it answers, if it supports this')
    .option('-y, --yes', 'call tools without asking')
    .option('--transcript <file>', 'write the conversation to this Markdown file')
    .option('--record <file>', 'record the answers of the model, redacted, for tests and evals')
    .addHelpText('after', HELP)
    .action((message: readonly string[], options: ChatOptions, command: Command) =>
      run(command, () => import('./chat.js'), 'run', {
        message: message.join(' '),
        model: options.model,
        agent: options.agent,
        fallback: options.fallback,
        baseUrl: options.baseUrl,
        toolsets: options.toolset ?? [],
        instructions: options.instructions,
        maxTurns: options.maxTurns,
        thinking: options.thinking ?? false,
        yes: options.yes ?? false,
        transcript: options.transcript,
        record: options.record,
      }),
    );
};
