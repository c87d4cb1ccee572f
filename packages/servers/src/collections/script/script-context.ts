import type { JsonValue } from '../../sandbox/isolate/isolate-job.js';
import type { KeyValue } from '../../send/outgoing-request.js';
import type { JsonObject } from '../model/collection-model.js';
import type { VariableScopes } from '../model/variable-scopes.js';

export interface ScriptCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
}

/** What a script is given. */
export interface ScriptContext {
  readonly eventName: 'prerequest' | 'test';
  readonly scopes: VariableScopes;
  readonly requestId: string;
  readonly requestName: string;
  readonly iteration: number;
  readonly iterations: number;
  /** A request as Postman's collection format has it. */
  readonly request: JsonObject;
  readonly response?: {
    readonly code: number;
    readonly status: string;
    readonly timeMs: number;
    readonly headers: readonly KeyValue[];
    readonly body: Uint8Array;
  };
  readonly cookies: readonly ScriptCookie[];
}

const valuesOf = (values: JsonObject): JsonValue => ({
  values: Object.entries(values).map(([key, value]) => ({ key, value, type: 'any' })),
});

/** The order to execute one script, as Postman's sandbox takes it. */
export const executeOrder = (script: string, context: ScriptContext): string => {
  const { scopes, response } = context;
  return JSON.stringify({
    id: 'script',
    event: { listen: context.eventName, script: { type: 'text/javascript', exec: script } },
    context: {
      globals: valuesOf(scopes.globals),
      collectionVariables: valuesOf(scopes.collection),
      environment: valuesOf(scopes.environment),
      _variables: valuesOf(scopes.local),
      data: scopes.data,
      request: context.request,
      ...(response === undefined
        ? {}
        : {
            response: {
              code: response.code,
              status: response.status,
              header: response.headers,
              responseTime: response.timeMs,
              stream: { type: 'Base64', data: Buffer.from(response.body).toString('base64') },
            },
            cookies: context.cookies,
          }),
    },
    // "debug" lets scripts write to the console of the isolate, which has its limits.
    options: {
      debug: true,
      cursor: { iteration: context.iteration, cycles: context.iterations },
      legacy: { _itemId: context.requestId, _itemName: context.requestName },
    },
  });
};
