import {
  checkReport,
  checkReportQuery,
  checkRun,
  checkRunEvent,
  checkTarget,
  pageQuery,
  PlugboardError,
} from '@plugboard/contract';
import type { CheckRuns } from '../../port/check-runs.js';
import type { AdminContext } from '../admin-context.js';
import { principalOf } from '../endpoint/admission.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { answerPage, pageOf, pagedAnswer } from '../paging.js';
import { writtenReport } from '../written-report.js';
import { checkRunStream } from '../stream/check-run-stream.js';

const DEFAULT_PAGE = 50;

const refereeOf = ({ checks }: AdminContext): CheckRuns => {
  if (checks !== undefined) return checks;
  throw new PlugboardError('PERMISSION_DENIED', 'This hub does not run checks.');
};

const start = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'startCheck',
      method: 'post',
      path: '/v1/checks',
      tag: 'checks',
      summary: 'Start a run of the referee',
      description:
        'The body is a target as in a target file. With `name` alone it is the registered server of that name or id, examined directly and with the credentials that the hub keeps for it; no report contains them. Programs and addresses are subject to the same policies as servers that are registered. The response is immediate; the run waits while others are in progress.',
      body: checkTarget,
      bodyExample: { name: 'weather', tier: 'smoke' },
      answers: {
        202: { description: 'The run.', schema: checkRun, headers: { Location: 'Where the run can be read.' } },
      },
      errors: ['SERVER_NOT_FOUND', 'STDIO_DISABLED', 'URL_REFUSED', 'UNRESOLVED_VARIABLES', 'RATE_LIMITED'],
    },
    async ({ body }, c) => {
      const run = await refereeOf(admin).start(body, principalOf(c));
      c.header('Location', `/v1/checks/${run.id}`);
      return c.json(run, 202);
    },
  );

const list = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listChecks',
      method: 'get',
      path: '/v1/checks',
      tag: 'checks',
      summary: 'List runs of the referee',
      description: `Runs in progress and stored runs, including those of \`plugboard check\`, newest first: ${DEFAULT_PAGE} runs if \`limit\` is omitted.`,
      query: pageQuery,
      answers: pagedAnswer('The runs, without their results.', checkRun),
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const limit = query.limit ?? DEFAULT_PAGE;
      const page = await pageOf((part) => refereeOf(admin).list({ ...query, ...part }), { ...query, limit });
      return answerPage(c, page);
    },
  );

const retrieve = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'retrieveCheck',
      method: 'get',
      path: '/v1/checks/{run_id}',
      tag: 'checks',
      summary: 'Show the state of a run',
      answers: { 200: { description: 'The run.', schema: checkRun } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => c.json(await refereeOf(admin).get(params.run_id)),
  );

const watch = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'watchCheck',
      method: 'get',
      path: '/v1/checks/{run_id}/events',
      tag: 'checks',
      summary: 'Watch a run',
      description:
        'A stream of server-sent events from the beginning of the run, or after the event that the header `Last-Event-ID` names, until the run ends. Comments keep the stream alive. The run continues without a client.',
      answers: {
        200: {
          description: 'The events, one JSON object each.',
          schema: checkRunEvent,
          mediaType: 'text/event-stream',
        },
      },
      errors: ['NOT_FOUND'],
    },
    ({ params }, c) => {
      const last = Number(c.req.header('last-event-id') ?? 0);
      const after = Number.isSafeInteger(last) && last > 0 ? last : 0;
      const runs = refereeOf(admin);
      return checkRunStream({
        watch: (listener) => runs.watch(params.run_id, after, listener),
        limits: admin.limits,
        signal: c.req.raw.signal,
      });
    },
  );

const report = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'readCheckReport',
      method: 'get',
      path: '/v1/checks/{run_id}/report',
      tag: 'checks',
      summary: 'Read the report of a run',
      description: 'In the format given by `format`: JSON, Markdown, JUnit, SARIF, HTML, a job summary or a badge.',
      query: checkReportQuery,
      answers: { 200: { description: 'The report; as JSON it has this shape.', schema: checkReport } },
      errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_ARGUMENT'],
    },
    async ({ params, query }) => writtenReport(await refereeOf(admin).report(params.run_id, query.format)),
  );

const cancel = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'cancelCheck',
      method: 'post',
      path: '/v1/checks/{run_id}/cancel',
      tag: 'checks',
      summary: 'Cancel a run',
      description:
        'Closes every connection and stops every process of the run before it responds. Verdicts so far are kept. A run that has ended does not change.',
      answers: { 200: { description: 'The cancelled run.', schema: checkRun } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => c.json(await refereeOf(admin).cancel(params.run_id)),
  );

const remove = (admin: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'deleteCheck',
      method: 'delete',
      path: '/v1/checks/{run_id}',
      tag: 'checks',
      summary: 'Cancel and delete a run',
      answers: { 204: { description: 'Deleted, with its report.' } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      await refereeOf(admin).delete(params.run_id);
      return c.body(null, 204);
    },
  );

export const checkRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [start, list, retrieve, watch, report, cancel, remove].map((route) => route(admin));
