import { z } from 'zod';
import type { RunReport } from '../run/collection-runner.js';
import type { RequestReport } from '../run/request-report.js';

const answerShape = z.object({
  status: z.number().int(),
  status_text: z.string(),
  time_ms: z.number(),
  bytes: z.number().int(),
  redirects: z.number().int(),
});

export const requestShape = z.object({
  id: z.string(),
  iteration: z.number().int(),
  method: z.string(),
  url: z.string(),
  outcome: z
    .enum(['passed', 'failed', 'error', 'skipped'])
    .describe(
      'failed: an assertion failed; error: it or a script could not be carried out; skipped: a script said so.',
    ),
  response: answerShape.optional(),
  assertions: z.array(
    z.object({
      name: z.string(),
      passed: z.boolean(),
      skipped: z.boolean().optional(),
      message: z.string().optional(),
    }),
  ),
  console: z.array(z.object({ level: z.string(), text: z.string() })),
  script_requests: z
    .array(
      z.object({
        method: z.string(),
        url: z.string(),
        status: z.number().int().optional(),
        time_ms: z.number().optional(),
        error: z.string().optional(),
      }),
    )
    .optional()
    .describe('What scripts sent with pm.sendRequest.'),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
});

export const singleShape = requestShape.extend({
  response: answerShape
    .extend({
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      truncated: z.boolean().describe('Whether the body was truncated.'),
    })
    .optional(),
});

export const runShape = z.object({
  collection: z.string(),
  ended: z
    .enum(['complete', 'bail', 'time', 'count'])
    .describe('Anything but complete: the run ended before all requests were sent.'),
  totals: z.object({
    requests: z.number().int(),
    passed: z.number().int(),
    failed: z.number().int(),
    errors: z.number().int(),
    skipped: z.number().int(),
    not_sent: z.number().int(),
    assertions: z.number().int(),
    assertions_failed: z.number().int(),
    time_ms: z.number(),
  }),
  requests: z.array(requestShape),
});

const MAX_BODY = 64 * 1024;

export const describeRequest = ({ answer, ...report }: RequestReport): z.infer<typeof requestShape> => ({
  id: report.id,
  iteration: report.iteration,
  method: report.method,
  url: report.url,
  outcome: report.outcome,
  ...(answer === undefined
    ? {}
    : {
        response: {
          status: answer.status,
          status_text: answer.statusText,
          time_ms: answer.timeMs,
          bytes: answer.bytes,
          redirects: answer.redirects,
        },
      }),
  assertions: report.assertions.map((assertion) => ({ ...assertion })),
  console: [...report.console],
  ...(report.scriptRequests.length === 0
    ? {}
    : {
        script_requests: report.scriptRequests.map(({ method, url, status, timeMs, error }) => ({
          method,
          url,
          ...(status === undefined ? {} : { status }),
          ...(timeMs === undefined ? {} : { time_ms: timeMs }),
          ...(error === undefined ? {} : { error }),
        })),
      }),
  ...(report.error === undefined ? {} : { error: report.error }),
});

export const describeSingle = (report: RequestReport): z.infer<typeof singleShape> => {
  const { response, ...rest } = describeRequest(report);
  if (response === undefined || report.answer === undefined) return rest;
  const { headers, body } = report.answer;
  const shown = headers.filter(({ key }) => key.toLowerCase() !== 'set-cookie').map(({ key, value }) => [key, value]);
  return {
    ...rest,
    response: {
      ...response,
      headers: Object.fromEntries(shown) as Record<string, string>,
      body: body.slice(0, MAX_BODY),
      truncated: body.length > MAX_BODY,
    },
  };
};

export const describeRunReport = (collection: string, report: RunReport): z.infer<typeof runShape> => {
  const count = (outcome: RequestReport['outcome']): number =>
    report.requests.filter((request) => request.outcome === outcome).length;
  const assertions = report.requests.flatMap((request) => request.assertions);
  return {
    collection,
    ended: report.ended,
    totals: {
      requests: report.requests.length,
      passed: count('passed'),
      failed: count('failed'),
      errors: count('error'),
      skipped: count('skipped'),
      not_sent: report.left,
      assertions: assertions.length,
      assertions_failed: assertions.filter(({ passed }) => !passed).length,
      time_ms: report.timeMs,
    },
    requests: report.requests.map(describeRequest),
  };
};
