import { z } from 'zod';
import { checkEra } from './check-report.js';
import { checkTargetAddress } from './check-target.js';

const milliseconds = z.number().int().min(1).max(3_600_000);
const name = z.string().min(1).max(100);
const reference = z.string().min(1).max(2_000);

/** A condition on the result of a step. */
export const assertion = z.strictObject({
  path: z
    .string()
    .max(2_000)
    .default('')
    .describe(
      'the value to check, such as content[0].text or structuredContent.items | length; default: the whole result',
    ),
  equals: z.unknown().optional(),
  notEquals: z.unknown().optional(),
  contains: z.unknown().optional().describe('a part of a text, or an element of a list'),
  notContains: z.unknown().optional(),
  oneOf: z.array(z.unknown()).optional(),
  greaterThan: z.unknown().optional(),
  lessThan: z.unknown().optional(),
  exists: z.boolean().optional(),
  type: z.enum(['string', 'number', 'boolean', 'object', 'array', 'null']).optional(),
  schema: z.record(z.string(), z.unknown()).optional().describe('a JSON Schema that the value must match'),
});

const step = z.strictObject({
  name,
  server: name.describe('a server of this workflow'),
  tool: z.string().min(1).optional().describe('the tool to call'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('the arguments of the tool; ${name} is replaced with the value of that variable'),
  method: z.string().min(1).optional().describe('a request other than tools/call, such as resources/read'),
  params: z.record(z.string(), z.unknown()).optional(),
  expectError: z
    .boolean()
    .default(false)
    .describe('the call must fail: with an error, or with a result that has isError'),
  capture: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/u), reference)
    .default({})
    .describe('variables to set, each with the path of its value in the result'),
  expect: z.array(assertion).max(100).default([]),
  retry: z
    .strictObject({
      attempts: z.number().int().min(1).max(100).default(3),
      delayMs: z.number().int().min(0).max(60_000).default(500),
    })
    .optional()
    .describe('repeat the step until it succeeds and everything under expect holds'),
  timeoutMs: milliseconds.optional().describe('the time limit for one attempt; default: 30 seconds'),
});

/** Steps over several servers, with a teardown that always runs. */
export const workflow = z.strictObject({
  $schema: z.string().optional(),
  name,
  description: z.string().optional(),
  servers: z
    .record(name, checkTargetAddress)
    .refine((servers) => Object.keys(servers).length > 0, 'must name a server')
    .describe('the servers, by url, by command, or by the name of a registered server'),
  variables: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/u), z.unknown())
    .default({})
    .describe('values for ${name}'),
  matrix: z
    .strictObject({
      era: z.array(checkEra).min(1).optional().describe('run the workflow in each of these eras'),
      servers: z
        .record(name, z.array(checkTargetAddress).min(1).max(16))
        .optional()
        .describe('alternative addresses of a server: the workflow runs with each of them'),
    })
    .optional(),
  steps: z.array(step).min(1).max(200),
  teardown: z.array(step).max(50).default([]).describe('steps that always run at the end, even after a failure'),
  timeoutMs: milliseconds.default(300_000).describe('the time limit for all steps of one run of the matrix'),
});
export type Workflow = z.infer<typeof workflow>;
export type WorkflowInput = z.input<typeof workflow>;
