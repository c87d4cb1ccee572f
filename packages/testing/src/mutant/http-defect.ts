import { parseObject } from './mutation/filter.js';
import type { HttpAnswered, HttpAsked, Mutation } from './mutation/mutation.js';

export type Http = NonNullable<Mutation['http']>;

export const isNotice = ({ body }: HttpAsked): boolean => {
  const message = parseObject(body);
  return message !== undefined && 'method' in message && !('id' in message);
};

/** Whether a request says that it is of the modern era. */
export const isModern = ({ headers }: HttpAsked): boolean => headers['mcp-protocol-version'] === '2026-07-28';

/** A request with other headers; undefined takes one away. */
export const withHeaders = (asked: HttpAsked, headers: Readonly<Record<string, string | undefined>>): HttpAsked => ({
  ...asked,
  headers: Object.fromEntries(
    Object.entries({ ...asked.headers, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ),
});

/** An answer that refuses with a JSON-RPC error. */
export const refused = (
  { body }: HttpAsked,
  status: number,
  code: number,
): ReturnType<NonNullable<Http['answer']>> => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: parseObject(body)?.['id'] ?? null, error: { code, message: 'Refused' } }),
});

/** Changes the status of some answers. */
export const statusFor =
  (concerns: (asked: HttpAsked, answered: HttpAnswered) => boolean, status: number): NonNullable<Http['response']> =>
  (answered, asked) =>
    concerns(asked, answered) ? { ...answered, status } : answered;
