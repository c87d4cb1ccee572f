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
  arguments: z.record(z.string(), z.unknown()).optional().describe('generated from the schema when absent'),
});

const seconds = z.number().positive().max(86_400);

/** What `plugboard bench` does to a target. */
export const loadPlan = z.strictObject({
  call: loadCall.optional().describe('the tool to call; its first free text argument carries a canary'),
  slowCall: loadCall.optional().describe('a tool that takes long, for the head-of-line scenario'),
  scenarios: z.array(loadScenario).min(1).default(['single', 'steady']),
  concurrency: z.number().int().min(1).max(2_000).default(10).describe('how many callers there are at once'),
  workers: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('how many processes call, over HTTP; the callers are spread over them'),
  rate: z
    .number()
    .positive()
    .max(100_000)
    .optional()
    .describe('calls per second (open loop); when absent, each caller calls again after its answer (closed loop)'),
  seconds: seconds.default(10).describe('how long the steady scenario is measured'),
  warmUpSeconds: z.number().min(0).max(3_600).default(2).describe('how long it runs before it is measured'),
  stepSeconds: seconds.default(2).describe('how long a step of the ramp and a phase of the spike lasts'),
  maxConcurrency: z.number().int().min(1).max(2_000).default(256).describe('where the ramp ends at the latest'),
  connections: z.number().int().min(1).max(2_000).default(200).describe('how many connections are held at once'),
  maxPayloadBytes: z.number().int().min(1_024).max(16_777_216).default(1_048_576),
  preset: loadPreset.optional().describe('thresholds that belong together'),
  thresholds: z
    .record(z.string(), z.array(z.string()))
    .default({})
    .describe(
      'conditions by metric, such as {"call_duration": ["p(95)<200", "avg<100"], "call_failed": ["rate<0.01"]}',
    ),
});
export type LoadPlan = z.infer<typeof loadPlan>;
