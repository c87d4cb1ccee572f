import { z } from 'zod';
import { checkTargetAddress } from './check-target.js';
import { assertion } from './workflow.js';

const name = z.string().min(1).max(100);
const iterations = z.number().int().min(1).max(1_000);
const rate = z.number().min(0).max(1);
const toolName = z.string().min(1).max(300).describe('the name of a tool, or server/tool');

/** A call that a model makes. */
const call = z.strictObject({
  tool: toolName,
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const expectedCall = z.strictObject({
  tool: toolName,
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('arguments that the call must have; other arguments are allowed'),
  check: z.array(assertion).max(100).default([]).describe('conditions on the arguments, as in workflows'),
});

const evalCase = z.strictObject({
  name,
  prompt: z.string().min(1).max(100_000).describe('the message of the user'),
  expect: z
    .array(expectedCall)
    .max(50)
    .default([])
    .describe(
      'the calls of the first turn, in any order; an empty list means that the model must answer without a tool',
    ),
  others: z.enum(['forbid', 'allow']).default('forbid').describe('whether the model may make other calls'),
  iterations: iterations.optional().describe('how often the prompt is asked; default: the value of the file'),
  passRate: rate.optional().describe('the required share of correct answers; default: the value of the file'),
  script: z
    .array(z.array(call).max(50))
    .min(1)
    .optional()
    .describe('the calls of a scripted model, one list per iteration; the lists are used in turn'),
});

/** Cases that examine whether a model selects the right tools. No tool is called. */
export const evalFile = z.strictObject({
  $schema: z.string().optional(),
  name,
  description: z.string().optional(),
  model: z.string().optional().describe('provider:model, such as anthropic:claude-sonnet-5-5; --model overrides it'),
  instructions: z.string().max(100_000).optional().describe('the system prompt'),
  servers: z
    .record(name, checkTargetAddress)
    .optional()
    .describe(
      'the servers whose tools are offered, by url, by command, or by the name of a registered server; default: all servers of the hub',
    ),
  toolsets: z.array(name).default([]).describe('the toolsets of the hub whose tools are offered'),
  iterations: iterations.default(1).describe('how often each prompt is asked'),
  passRate: rate.default(1).describe('the required share of correct answers in each case'),
  judgeBy: z
    .enum(['rate', 'lower-bound'])
    .default('rate')
    .describe('the figure that must reach passRate: the observed share, or the lower bound of its confidence interval'),
  confidence: z.number().min(0.5).max(0.999).default(0.95).describe('the confidence level of the interval'),
  parallel: z.number().int().min(1).max(32).default(4).describe('the number of concurrent requests to the model'),
  timeoutMs: z.number().int().min(1).max(3_600_000).default(60_000).describe('the time limit for one answer'),
  cases: z.array(evalCase).min(1).max(1_000),
});
export type EvalFile = z.infer<typeof evalFile>;
export type EvalCase = EvalFile['cases'][number];
