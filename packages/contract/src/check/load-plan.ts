import { z } from 'zod';

export const loadScenario = z.enum([
  'single',
  'steady',
  'ramp',
  'spike',
  'head-of-line',
  'streams',
  'exhaustion',
  'first-calls',
  'cold-start',
  'payload',
  'list',
]);
export type LoadScenario = z.infer<typeof loadScenario>;

const loadPreset = z.enum(['framework-defaults', 'strict']);
export type LoadPreset = z.infer<typeof loadPreset>;

const loadCall = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).optional().describe('default: generated from the schema'),
});

const seconds = z.number().positive().max(86_400);

/** What `plugboard bench` does to a target. */
export const loadPlan = z.strictObject({
  call: loadCall.optional().describe('the tool to call; its first free-text argument contains a canary'),
  slowCall: loadCall.optional().describe('a slow tool, for the head-of-line scenario'),
  scenarios: z.array(loadScenario).min(1).default(['single', 'steady']),
  concurrency: z.number().int().min(1).max(2_000).default(10).describe('the number of concurrent callers'),
  workers: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('the number of processes that call, over HTTP; the callers are distributed among them'),
  rate: z
    .number()
    .positive()
    .max(100_000)
    .optional()
    .describe('calls per second (open loop); default: each caller calls again after its answer (closed loop)'),
  seconds: seconds.default(10).describe('the duration of the measurement in the steady scenario'),
  warmUpSeconds: z
    .number()
    .min(0)
    .max(3_600)
    .default(2)
    .describe('how long the load runs before the measurement begins'),
  stepSeconds: seconds.default(2).describe('the duration of a step of the ramp and of a phase of the spike'),
  maxConcurrency: z.number().int().min(1).max(2_000).default(256).describe('the maximum number of callers in the ramp'),
  connections: z
    .number()
    .int()
    .min(1)
    .max(2_000)
    .default(200)
    .describe('the number of connections that are open at the same time'),
  maxPayloadBytes: z.number().int().min(1_024).max(16_777_216).default(1_048_576),
  preset: loadPreset.optional().describe('a set of thresholds'),
  thresholds: z
    .record(z.string(), z.array(z.string()))
    .default({})
    .describe(
      'conditions by metric, such as {"call_duration": ["p(95)<200", "avg<100"], "call_failed": ["rate<0.01"]}',
    ),
});
export type LoadPlan = z.infer<typeof loadPlan>;
