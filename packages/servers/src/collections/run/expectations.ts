import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, tryJson } from '@plugboard/base';
import type { ResponsePromise } from '../model/collection-model.js';
import { judge } from '../openapi/response-schema.js';
import type { Assertion } from '../script/script-report.js';
import type { Answer } from '../../send/outgoing-request.js';

/** What the caller expects of an answer. */
export interface Expectations {
  readonly status?: number | undefined;
  readonly maxTimeMs?: number | undefined;
  readonly bodyContains?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** By JSON pointer. */
  readonly json?: Readonly<Record<string, unknown>> | undefined;
}

const verdict = (name: string, passed: boolean, message: string): Assertion =>
  passed ? { name, passed } : { name, passed, message };

export const headerOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined =>
  headers.find(({ key }) => key.toLowerCase() === name.toLowerCase())?.value;

export const textOf = ({ body }: Pick<Answer, 'body'>): string => new TextDecoder().decode(body);

const jsonOf = (answer: Answer): unknown => tryJson(textOf(answer));

export const assertExpectations = (expected: Expectations, answer: Answer): readonly Assertion[] => {
  const { status, maxTimeMs, bodyContains, headers = {}, json = {} } = expected;
  const results: Assertion[] = [];
  if (status !== undefined) {
    results.push(verdict(`status is ${status}`, answer.status === status, `It is ${answer.status}.`));
  }
  if (maxTimeMs !== undefined) {
    results.push(verdict(`answers within ${maxTimeMs} ms`, answer.timeMs <= maxTimeMs, `It took ${answer.timeMs} ms.`));
  }
  if (bodyContains !== undefined) {
    results.push(verdict('body contains the text', textOf(answer).includes(bodyContains), 'It does not.'));
  }
  for (const [name, value] of Object.entries(headers)) {
    const actual = headerOf(answer, name);
    results.push(verdict(`header ${name} is ${value}`, actual === value, `It is ${actual ?? 'absent'}.`));
  }
  const body = Object.keys(json).length === 0 ? undefined : jsonOf(answer);
  for (const [pointer, value] of Object.entries(json)) {
    const actual = at(body, pointer);
    const passed = isDeepStrictEqual(actual, value);
    results.push(verdict(`${pointer || 'the body'} is ${short(value)}`, passed, `It is ${short(actual)}.`));
  }
  return results;
};

const MAX_SHOWN = 200;
const short = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, MAX_SHOWN);

const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((holder, key) => {
      if (Array.isArray(holder)) return holder[Number(key)] as unknown;
      return isJsonObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
    }, value);

/** What the description of the API says about this answer. */
export const assertPromise = ({ byStatus }: ResponsePromise, answer: Answer): readonly Assertion[] => {
  const range = `${Math.floor(answer.status / 100)}XX`;
  const promised = byStatus[String(answer.status)] ?? byStatus[range] ?? byStatus['DEFAULT'];
  const documented = verdict('status is documented', promised !== undefined, `${answer.status} is not.`);
  if (promised?.jsonSchema === undefined) return [documented];
  const body = jsonOf(answer);
  if (body === undefined) return [documented, verdict('body follows its schema', false, 'It is not JSON.')];
  const judged = judge(promised.jsonSchema, body);
  if (judged.kind === 'unusable') return [documented];
  const problem = judged.kind === 'breaks' ? judged.problem : '';
  return [documented, verdict('body follows its schema', judged.kind === 'follows', problem)];
};
