import type { Context } from 'hono';
import { z } from 'zod';
import { readBody } from '../input/read-body.js';
import { validate } from '../input/validate.js';
import type { AdminLimits } from '../limits.js';
import { BODY_MEMBERS, memberPaths } from './member-paths.js';
import type { Operation } from '../operation.js';

/** The query of a URL; a member that is given twice becomes an array, which no schema takes by accident. */
const readQuery = (url: string): Record<string, string | string[]> => {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of new URL(url).searchParams) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(found);
};

type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler gets: everything from outside, already parsed. */
export interface EndpointInput<O extends Operation> {
  readonly params: Readonly<Record<ParamName<O['path']>, string>>;
  readonly query: Output<O['query']>;
  readonly body: Output<O['body']>;
}

export interface Handler<O extends Operation> {
  (input: EndpointInput<O>, c: Context): Response | Promise<Response>;
}

/** An operation with the code that performs it. */
export interface Endpoint {
  readonly operation: Operation;
  readonly answer: (c: Context, limits: AdminLimits) => Promise<Response>;
}

export interface EndpointOptions<O extends Operation> {
  /** Adds to a body what may be left out of it, before it is validated. */
  readonly completeBody?: (body: unknown, params: EndpointInput<O>['params']) => Promise<unknown>;
}

const NO_PARAMETERS = z.object({});

export const endpoint = <const O extends Operation>(
  operation: O,
  handle: Handler<O>,
  { completeBody = async (body) => body }: EndpointOptions<O> = {},
): Endpoint => {
  const query = operation.openQuery === true ? undefined : (operation.query ?? NO_PARAMETERS).strict();
  return {
    operation,
    answer: async (c, limits) => {
      const params = c.req.param() as EndpointInput<O>['params'];
      const input = {
        params,
        query: query && validate(query, readQuery(c.req.url), 'query'),
        body:
          operation.body &&
          validate(operation.body, await completeBody(await readBody(c.req.raw, operation, limits), params), 'body'),
      };
      c.set(BODY_MEMBERS, memberPaths(input.body));
      return handle(input as EndpointInput<O>, c);
    },
  };
};
