import { benchReport, benchReportQuery, benchRun, benchStart, pageQuery, PlugboardError } from '@plugboard/contract';
import type { BenchRuns } from '../../port/bench-runs.js';
import type { AdminContext } from '../admin-context.js';
import { principalOf } from '../endpoint/admission.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { answerPage, pageOf, pagedAnswer } from '../paging.js';
import { writtenReport } from '../written-report.js';

const DEFAULT_PAGE = 50;

const benchOf = ({ benchmarks }: AdminContext): BenchRuns => {
  if (benchmarks !== undefined) return benchmarks;
  throw new PlugboardError('PERMISSION_DENIED', 'This hub does not run benchmarks.');
};

const start = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'startBenchmark',
      method: 'post',
      path: '/v1/benchmarks',
      tag: 'benchmarks',
      summary: 'Measure a server under load',
      description:
        'Calls a tool of a registered server at a fixed rate, directly and with the credentials that the hub keeps for it. Duration, rate and callers are limited, because the hub serves other clients meanwhile; `plugboard bench` has no such limits. A tool that you name is called whatever its annotations say. The response is immediate; one benchmark runs at a time, and others wait.',
      body: benchStart,
      bodyExample: { name: 'weather', tool: 'get_forecast', arguments: { city: 'Oslo' }, seconds: 10, rate: 20 },
      answers: {
        202: { description: 'The run.', schema: benchRun, headers: { Location: 'Where the run can be read.' } },
      },
      errors: ['SERVER_NOT_FOUND', 'STDIO_DISABLED', 'URL_REFUSED', 'UNRESOLVED_VARIABLES', 'RATE_LIMITED'],
    },
    async ({ body }, c) => {
      const run = await benchOf(admin).start(body, principalOf(c));
      c.header('Location', `/v1/benchmarks/${run.id}`);
      return c.json(run, 202);
    },
  );

const list = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listBenchmarks',
      method: 'get',
      path: '/v1/benchmarks',
      tag: 'benchmarks',
      summary: 'List benchmarks',
      description: `Benchmarks in progress and stored ones, newest first: ${DEFAULT_PAGE} if \`limit\` is omitted.`,
      query: pageQuery,
      answers: pagedAnswer('The runs, without their reports.', benchRun),
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const limit = query.limit ?? DEFAULT_PAGE;
      const page = await pageOf((part) => benchOf(admin).list({ ...query, ...part }), { ...query, limit });
      return answerPage(c, page);
    },
  );

const retrieve = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'retrieveBenchmark',
      method: 'get',
      path: '/v1/benchmarks/{run_id}',
      tag: 'benchmarks',
      summary: 'Show the state and the figures of a benchmark',
      description: 'During the run, the response has the current figures; read it again to follow the run.',
      answers: { 200: { description: 'The run.', schema: benchRun } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => c.json(await benchOf(admin).get(params.run_id)),
  );

const report = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'readBenchmarkReport',
      method: 'get',
      path: '/v1/benchmarks/{run_id}/report',
      tag: 'benchmarks',
      summary: 'Read the report of a benchmark',
      description:
        'In the format given by `format`: JSON as `plugboard bench` writes it, Markdown, JUnit, HTML or a job summary.',
      query: benchReportQuery,
      answers: { 200: { description: 'The report; as JSON it has this shape.', schema: benchReport } },
      errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_ARGUMENT'],
    },
    async ({ params, query }) => writtenReport(await benchOf(admin).report(params.run_id, query.format)),
  );

const cancel = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'cancelBenchmark',
      method: 'post',
      path: '/v1/benchmarks/{run_id}/cancel',
      tag: 'benchmarks',
      summary: 'Cancel a benchmark',
      description: 'Closes every connection and stops every process of the run before it responds.',
      answers: { 200: { description: 'The cancelled run.', schema: benchRun } },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ params }, c) => c.json(await benchOf(admin).cancel(params.run_id)),
  );

const remove = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'deleteBenchmark',
      method: 'delete',
      path: '/v1/benchmarks/{run_id}',
      tag: 'benchmarks',
      summary: 'Cancel and delete a benchmark',
      answers: { 204: { description: 'Deleted, with its report.' } },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ params }, c) => {
      await benchOf(admin).delete(params.run_id);
      return c.body(null, 204);
    },
  );

export const benchmarkRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [start, list, retrieve, report, cancel, remove].map((route) => route(admin));
