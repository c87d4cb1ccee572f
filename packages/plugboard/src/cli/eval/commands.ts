import { type Command, Option } from 'commander';
import { collect, type DefinitionTools } from '../command/define.js';
import { parseCount } from '../command/parse-number.js';
import type { EvalInput } from './eval.js';

const HELP = `
Asks a model the prompts of a YAML file, and checks which tools it would call; no tool is called. See docs/evals.md. The model is a real
one (--model, or "model" in the file), a recorded one (--replay), or the scripts of the cases. The key of a provider is taken from the
environment; with --agent, the hub asks the provider with the key that it keeps encrypted.
Exit code 1: a case failed; 2: the file is not valid; 6: the model did not answer every prompt.

Examples:
  plugboard eval weather.yaml --model anthropic:claude-sonnet-5-5 --iterations 20 --report evals.html
  plugboard eval weather.yaml --agent researcher
  plugboard eval weather.yaml --model openai:gpt-4.1 --record weather.jsonl
  plugboard eval weather.yaml --replay weather.jsonl`;

export const defineEvalCommand = ({ define, run }: DefinitionTools): void => {
  define('eval', 'check which tools a model selects')
    .argument('<file>', 'cases in YAML or JSON')
    .option('--model <provider:model>', 'the provider (openai, openai-responses, anthropic, bedrock) and its model')
    .addOption(
      new Option(
        '--agent <agent>',
        'ask the model of this agent of the hub, with the key that the hub keeps',
      ).conflicts(['model', 'baseUrl', 'scripted', 'replay']),
    )
    .option('--base-url <url>', 'an endpoint other than that of the provider')
    .option('--scripted', 'use the scripts of the cases, also if the file names a model')
    .option('--replay <file>', 'use the answers of a recording')
    .option('--record <file>', 'record the answers of the model, redacted')
    .option('--iterations <count>', 'how often each prompt is asked; overrides the file', parseCount)
    .option('--report <file>', 'also write .json, .md, .xml (JUnit), .sarif, .html or .svg; may be repeated', collect)
    .option('-v, --verbose', 'show every case')
    .addHelpText('after', HELP)
    .action((file: string, options: Partial<EvalInput>, command: Command) =>
      run(command, () => import('./eval.js'), 'run', {
        file,
        model: options.model,
        agent: options.agent,
        baseUrl: options.baseUrl,
        scripted: options.scripted ?? false,
        replay: options.replay,
        record: options.record,
        iterations: options.iterations,
        report: options.report ?? [],
        verbose: options.verbose ?? false,
      }),
    );
};
