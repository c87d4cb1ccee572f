import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { reporter } from '../../sandbox/tools/progress-beat.js';
import { CollectionError } from '../collections-error.js';
import type { CollectionLibrary } from '../library/collection-library.js';
import type { CollectionModel, RequestModel } from '../model/collection-model.js';
import type { CollectionRunner } from '../run/collection-runner.js';
import type { RequestReport } from '../run/request-report.js';
import { describeRunReport, describeSingle, runShape, singleShape, type requestShape } from './report-shape.js';
import { answer } from '../../serve/tool-answer.js';
import { guarded } from './guarded.js';

/** Whatever a collection does, it does to the servers behind it. */
const ACTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const;
const MAX_ITERATIONS = 50;

const variables = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .default({})
  .describe('Values for {{variables}}; they override those of the environment and the collection.');
const environment = z.string().optional().describe('The name or id of an environment from list_collections.');
const collection = z.string().describe('An id from list_collections.');

const expectShape = z
  .object({
    status: z.number().int().optional().describe('The status that the answer must have.'),
    max_time_ms: z.number().int().optional().describe('How long the answer may take.'),
    body_contains: z.string().optional().describe('A text that the body must contain.'),
    headers: z.record(z.string(), z.string()).optional().describe('Headers that the answer must have, by name.'),
    json: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Values that the JSON body must have, by JSON pointer.'),
  })
  .default({})
  .describe('Checks for every response, in addition to the tests of the collection.');

const requestInput = z.object({
  collection,
  request: z.string().describe('An id from get_collection.'),
  environment,
  variables,
  expect: expectShape,
});

const collectionInput = z.object({
  collection,
  folder: z.string().optional().describe('Only the requests of this folder and below, such as "Users / Admin".'),
  environment,
  variables,
  data: z
    .array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
    .max(MAX_ITERATIONS)
    .default([])
    .describe('One set of variables per iteration; without it there is one iteration.'),
  bail: z.boolean().default(false).describe('Whether the first request that does not pass ends the run.'),
  expect: expectShape,
});

export interface RunToolParts {
  readonly library: CollectionLibrary;
  readonly runner: Pick<CollectionRunner, 'run'>;
}

export const registerRunTools = (server: McpServer, parts: RunToolParts): void => {
  server.registerTool(
    'run_request',
    {
      title: 'Run one request',
      description: 'Sends one request of a collection, runs its tests and returns the answer with the verdicts.',
      inputSchema: requestInput,
      outputSchema: singleShape,
      annotations: ACTS,
    },
    async (input, context) => guarded(async () => runOne(input, context, parts)),
  );
  server.registerTool(
    'run_collection',
    {
      title: 'Run a collection',
      description: 'Sends the requests of a collection in order, runs their tests and returns a report.',
      inputSchema: collectionInput,
      outputSchema: runShape,
      annotations: ACTS,
    },
    async (input, context) => guarded(async () => runAll(input, context, parts)),
  );
};

const MARKS = { passed: '✓', failed: '✗', error: '!', skipped: '-' } as const;

const requestLines = (request: z.infer<typeof requestShape>): readonly string[] => {
  const { outcome, id, method, url, response, assertions, error, console, script_requests: sent = [] } = request;
  const result =
    response === undefined ? '' : ` → ${response.status} ${response.status_text} in ${response.time_ms} ms`;
  return [
    `${MARKS[outcome]} ${id}: ${method} ${url}${result}`,
    ...assertions.map(
      ({ name, passed, skipped, message }) =>
        `    ${skipped === true ? '-' : passed ? '✓' : '✗'} ${name}${message === undefined ? '' : `: ${message}`}`,
    ),
    ...sent.map(
      (one) => `    → ${one.method} ${one.url}: ${one.status === undefined ? (one.error ?? '') : String(one.status)}`,
    ),
    ...(error === undefined ? [] : [`    ${error.code}: ${error.message} ${error.hint}`]),
    ...console.map(({ level, text }) => `    [${level}] ${text}`),
  ];
};

const singleText = (request: z.infer<typeof singleShape>): string =>
  [...requestLines(request), ...(request.response === undefined ? [] : ['', request.response.body])].join('\n');

const runText = ({ collection, totals, ended, requests }: z.infer<typeof runShape>): string => {
  const { passed, failed, errors, not_sent, assertions, assertions_failed, time_ms } = totals;
  return [
    `${collection}: ${passed} passed, ${failed} failed, ${errors} with an error${not_sent === 0 ? '' : `, ${not_sent} not sent (${ended})`}; ${assertions - assertions_failed} of ${assertions} assertions hold; ${time_ms} ms`,
    ...requests.flatMap(requestLines),
  ].join('\n');
};

const runOne = async (
  input: z.infer<typeof requestInput>,
  context: ServerContext,
  { library, runner }: RunToolParts,
) => {
  const found = await library.collection(input.collection);
  const request = found.requests.find(({ id }) => id === input.request);
  if (request === undefined) throw new CollectionError('REQUEST_NOT_FOUND');
  const { requests } = await runner.run({
    ...(await planOf(input, found, library)),
    requests: [request],
    data: [{}],
    bail: false,
    ...following(context),
  });
  const [report] = requests;
  if (report === undefined) throw new CollectionError('RUN_LIMIT');
  const described = describeSingle(report);
  return answer(described, singleText(described));
};

const runAll = async (
  input: z.infer<typeof collectionInput>,
  context: ServerContext,
  { library, runner }: RunToolParts,
) => {
  const found = await library.collection(input.collection);
  const report = await runner.run({
    ...(await planOf(input, found, library)),
    requests: inFolder(found, input.folder),
    data: input.data.length === 0 ? [{}] : input.data.map(texts),
    bail: input.bail,
    ...following(context),
  });
  const described = describeRunReport(found.name, report);
  return answer(described, runText(described));
};

const planOf = async (
  input: Pick<z.infer<typeof collectionInput>, 'environment' | 'variables' | 'expect'>,
  found: CollectionModel,
  library: CollectionLibrary,
) => ({
  collection: found,
  environment: input.environment === undefined ? undefined : await library.environment(input.environment),
  variables: texts(input.variables),
  expected: {
    status: input.expect.status,
    maxTimeMs: input.expect.max_time_ms,
    bodyContains: input.expect.body_contains,
    headers: input.expect.headers,
    json: input.expect.json,
  },
});

const texts = (values: Readonly<Record<string, string | number | boolean>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));

const inFolder = ({ requests }: CollectionModel, folder: string | undefined): readonly RequestModel[] => {
  if (folder === undefined) return requests;
  const inside = requests.filter((request) => `${request.folder.join(' / ')} / `.startsWith(`${folder} / `));
  if (inside.length === 0) throw new CollectionError('REQUEST_NOT_FOUND');
  return inside;
};

const following = (context: ServerContext) => {
  const report = reporter(context);
  return {
    signal: context.mcpReq.signal,
    onRequest: (done: number, total: number, { id, outcome }: RequestReport): void =>
      report({ progress: done, total, message: `${id}: ${outcome}` }),
  };
};
