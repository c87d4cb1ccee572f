import { z } from 'zod';
import type { JsonValue } from '../../sandbox/isolate/isolate-job.js';
import type { VariableScopes } from '../model/variable-scopes.js';
import type { JsonObject } from '../model/collection-model.js';

export interface Assertion {
  readonly name: string;
  readonly passed: boolean;
  readonly skipped?: boolean | undefined;
  readonly message?: string | undefined;
}

export interface ScriptReport {
  readonly assertions: readonly Assertion[];
  readonly scopes: VariableScopes;
  /** The request as the script left it. */
  readonly request?: JsonObject | undefined;
  /** Set by `setNextRequest`: null ends the iteration. */
  readonly next?: string | null | undefined;
  /** `pm.execution.skipRequest` was called. */
  readonly skipped: boolean;
  /** The script ended with this. */
  readonly problem?: string | undefined;
}

const json = z.json() as unknown as z.ZodType<JsonValue>;
const jsonObject = z.record(z.string(), json);
const errorShape = z.looseObject({ name: z.string().optional(), message: z.string().optional() });
const scopeShape = z.looseObject({
  values: z
    .array(z.looseObject({ key: z.string().optional(), value: json.optional(), disabled: z.boolean().optional() }))
    .default([]),
});

const reportShape = z.object({
  assertions: z.array(
    z.looseObject({
      name: z.string(),
      passed: z.boolean().optional(),
      skipped: z.boolean().optional(),
      error: errorShape.nullish(),
    }),
  ),
  errors: z.array(errorShape),
  skipped: z.boolean(),
  result: z
    .looseObject({
      globals: scopeShape,
      collectionVariables: scopeShape,
      environment: scopeShape,
      _variables: scopeShape,
      request: jsonObject.optional(),
      return: z.looseObject({ nextRequest: z.unknown().optional() }).optional(),
    })
    .nullable(),
});

const valuesOf = ({ values }: z.infer<typeof scopeShape>): JsonObject =>
  Object.fromEntries(
    values.flatMap(({ key, value, disabled }) =>
      key === undefined || disabled === true ? [] : [[key, value ?? null] as const],
    ),
  );

const errorText = ({ name = 'Error', message = '' }: z.infer<typeof errorShape>): string => `${name}: ${message}`;

/** Reads what the isolate reported; undefined when that is no report. */
export const readScriptReport = (text: string, before: VariableScopes): ScriptReport | undefined => {
  const read = reportShape.safeParse(JSON.parse(text));
  if (!read.success) return undefined;
  const { assertions, errors, skipped, result } = read.data;
  const nextRequest = result?.return?.nextRequest;
  return {
    assertions: assertions.map(({ name, passed, skipped: left, error }) => ({
      name,
      passed: left === true || (passed ?? (error === null || error === undefined)),
      ...(left === true ? { skipped: true } : {}),
      ...(error?.message === undefined ? {} : { message: error.message }),
    })),
    scopes:
      result === null
        ? before
        : {
            globals: valuesOf(result.globals),
            collection: valuesOf(result.collectionVariables),
            environment: valuesOf(result.environment),
            data: before.data,
            local: valuesOf(result._variables),
          },
    request: result?.request,
    skipped,
    ...(typeof nextRequest === 'string' || nextRequest === null ? { next: nextRequest } : {}),
    ...(errors[0] === undefined ? {} : { problem: errorText(errors[0]) }),
  };
};
