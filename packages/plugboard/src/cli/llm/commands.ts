import { type Command, InvalidArgumentError, Option } from 'commander';
import { failOnOption } from '../check/fail-on-option.js';
import { collect, type DefinitionTools } from '../command/define.js';
import type { CheckLlmInput } from './check-llm.js';

const LLM_HELP = `
Examines an endpoint of a model provider: completions, streams, tool calls, structured output, errors, features. It sends about 40
small requests, which cost tokens. The key comes from the environment: OPENAI_API_KEY, ANTHROPIC_API_KEY,
AWS_BEARER_TOKEN_BEDROCK or the AWS credentials, or the variable that --key-env names. With --agent, the hub adds the key.
Exit codes are those of \`plugboard check\`.

Examples:
  plugboard check llm anthropic --model claude-sonnet-5-5
  plugboard check llm http://127.0.0.1:11434/v1 --model llama3.2 --report llm.html
  plugboard check llm --agent researcher
  plugboard check llm openai --api openai-chat --model gpt-5-mini --tools github
  plugboard check llm anthropic --model claude-sonnet-5-5 --tools 'npx -y @modelcontextprotocol/server-memory'`;

const parseWhole = (text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number above 0.');
};

interface LlmOptions extends Partial<CheckLlmInput> {
  /** In seconds. */
  readonly timeout?: number;
  readonly batch?: number;
}

/** `check llm`: a subcommand of `check`. */
export const defineLlmCommand = (check: Command, { run }: DefinitionTools): void => {
  const summary = 'check an endpoint of a model provider';
  check
    .command('llm')
    .summary(summary)
    .description(summary)
    .usage('[options] <openai|anthropic|bedrock|url>\n       plugboard check llm [options] --agent <agent>')
    .argument('[provider]', 'openai, anthropic, bedrock, or the base address of an endpoint')
    .option('--model <model>', 'the model to use (default with --agent: that of the agent)')
    .addOption(
      new Option(
        '--agent <agent>',
        'check the model of this agent of the hub, with the key that the hub keeps',
      ).conflicts(['keyEnv', 'region', 'burst']),
    )
    .addOption(
      new Option('--api <api>', 'the API of the endpoint (default: openai-chat for an address)').choices([
        'openai-chat',
        'openai-responses',
        'anthropic',
        'bedrock',
      ]),
    )
    .option('--key-env <name>', 'the environment variable that holds the key')
    .option('--region <region>', 'the AWS region (default: AWS_REGION, or us-east-1)')
    .option('--timeout <seconds>', 'the deadline for each answer (default: 60)', parseWhole)
    .option(
      '--context-tokens <count>',
      'the size of the context window; also send one prompt that exceeds it',
      parseWhole,
    )
    .option('--burst <count>', 'also send this many requests at once, to reach the rate limit', parseWhole)
    .option('--batch <seconds>', 'also submit a batch of one request and wait this long for it', parseWhole)
    .option('--cache-tokens <count>', 'also send one prompt of this size twice, to see the prompt cache', parseWhole)
    .option('--embedding-model <model>', 'also ask this model for embeddings')
    .option(
      '--tools <server>',
      'also send the adapted tools of a server and report which are accepted: a registered server, a URL, a target file, an entry of a client file (.mcp.json#name), or a quoted command',
    )
    .addOption(failOnOption())
    .option('--report <file>', 'also write .json, .md, .xml (JUnit), .sarif, .html or .svg; may be repeated', collect)
    .option('-v, --verbose', 'show every check')
    .addHelpText('after', LLM_HELP)
    .action((target: string | undefined, _options: unknown, command: Command) => {
      // --fail-on, --report and --verbose are options of `check` too, which takes them.
      const options = command.optsWithGlobals<LlmOptions>();
      return run(command, () => import('./check-llm.js'), 'run', {
        target,
        model: options.model,
        agent: options.agent,
        api: options.api,
        keyEnv: options.keyEnv,
        region: options.region,
        timeoutMs: (options.timeout ?? 60) * 1_000,
        contextTokens: options.contextTokens,
        burst: options.burst ?? 0,
        batchMs: options.batch === undefined ? undefined : options.batch * 1_000,
        cacheTokens: options.cacheTokens,
        embeddingModel: options.embeddingModel,
        tools: options.tools,
        failOn: options.failOn ?? 'must',
        report: options.report ?? [],
        verbose: options.verbose ?? false,
      });
    });
};
