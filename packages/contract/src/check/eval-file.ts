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
    .describe('arguments that the call must have; further ones are allowed'),
  check: z.array(assertion).max(100).default([]).describe('conditions on the arguments, as in workflows'),
});

const evalCase = z.strictObject({
  name,
  prompt: z.string().min(1).max(100_000).describe('what the user asks'),
  expect: z
    .array(expectedCall)
    .max(50)
    .default([])
    .describe('the calls of the first turn, in any order; none: the model must answer without a tool'),
  others: z.enum(['forbid', 'allow']).default('forbid').describe('whether the model may call more than that'),
  iterations: iterations.optional().describe('how often it is asked; default: that of the file'),
  passRate: rate.optional().describe('the share of correct answers that it needs; default: that of the file'),
  script: z
    .array(z.array(call).max(50))
    .min(1)
    .optional()
    .describe('the calls of a scripted model, one list for each iteration; they are repeated in turn'),
});

/** Cases that examine whether a model selects the right tools. No tool is called. */
export const evalFile = z.strictObject({
  $schema: z.string().optional(),
  name,
  description: z.string().optional(),
  model: z.string().optional().describe('provider:model, such as anthropic:claude-sonnet-5-5; --model replaces it'),
  instructions: z.string().max(100_000).optional().describe('what the model is told before each prompt'),
  servers: z
    .record(name, checkTargetAddress)
    .optional()
    .describe(
      'the servers whose tools are offered: url, command, or alone the name of a registered one; default: all of the hub',
    ),
  toolsets: z.array(name).default([]).describe('offer the tools of these toolsets of the hub'),
  iterations: iterations.default(1).describe('how often each prompt is asked'),
  passRate: rate.default(1).describe('the share of correct answers that a case needs'),
  judgeBy: z
    .enum(['rate', 'lower-bound'])
    .default('rate')
    .describe('what must reach passRate: the share that was observed, or the lower bound of its interval'),
  confidence: z.number().min(0.5).max(0.999).default(0.95).describe('of the interval'),
  parallel: z.number().int().min(1).max(32).default(4).describe('how many prompts are asked at a time'),
  timeoutMs: z.number().int().min(1).max(3_600_000).default(60_000).describe('how long one answer may take'),
  cases: z.array(evalCase).min(1).max(1_000),
});
export type EvalFile = z.infer<typeof evalFile>;
export type EvalCase = EvalFile['cases'][number];
