import type { z } from 'zod';
import type { requestShape, runShape, singleShape } from './report-shape.js';

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

export const singleText = (request: z.infer<typeof singleShape>): string =>
  [...requestLines(request), ...(request.response === undefined ? [] : ['', request.response.body])].join('\n');

export const runText = ({ collection, totals, ended, requests }: z.infer<typeof runShape>): string => {
  const { passed, failed, errors, not_sent, assertions, assertions_failed, time_ms } = totals;
  return [
    `${collection}: ${passed} passed, ${failed} failed, ${errors} with an error${not_sent === 0 ? '' : `, ${not_sent} not sent (${ended})`}; ${assertions - assertions_failed} of ${assertions} assertions hold; ${time_ms} ms`,
    ...requests.flatMap(requestLines),
  ].join('\n');
};
