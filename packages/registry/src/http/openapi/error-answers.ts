import { ERROR_CODES, errorEnvelope, type ErrorCode } from '@plugboard/contract';
import type { Operation } from '../operation.js';
import type { ResponseObject } from './document-types.js';
import type { SchemaCollector } from './schema-collector.js';

const EXAMPLES: Readonly<Partial<Record<ErrorCode, { readonly message: string; readonly hint: string }>>> = {
  VALIDATION_FAILED: {
    message: '"config.server_url" in the body must be an http:// or https:// URL.',
    hint: 'Correct or remove the named field; GET /openapi.json describes the body.',
  },
  SERVER_NOT_FOUND: {
    message: 'No server of that id is registered.',
    hint: 'GET /v1/mcp-servers lists the registered servers.',
  },
};

/** Everything an operation may fail with: what it declares, what its inputs can be wrong in, and the unexpected. */
const codesOf = (operation: Operation): readonly ErrorCode[] => {
  const ofBody: readonly ErrorCode[] = [
    'INVALID_JSON',
    'INVALID_REQUEST',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
  ];
  return [
    ...new Set<ErrorCode>([
      ...operation.errors,
      ...(operation.body === undefined ? [] : ofBody),
      ...(operation.query === undefined ? [] : (['VALIDATION_FAILED'] as const)),
      'PAYLOAD_TOO_LARGE',
      ...(operation.tag === 'hub' ? [] : (['STORE_UNAVAILABLE', 'SECRET_UNREADABLE'] as const)),
      'INTERNAL',
    ]),
  ];
};

const answer = (codes: readonly ErrorCode[], collector: SchemaCollector): ResponseObject => {
  const [code = 'INTERNAL'] = codes;
  const example = EXAMPLES[code];
  return {
    description: codes.map((each) => `\`${each}\``).join(', '),
    content: {
      'application/json': {
        schema: collector.refer(errorEnvelope, 'output'),
        ...(example === undefined ? {} : { example: { error: { code, ...example }, detail: example.message } }),
      },
    },
  };
};

/** The failures of an operation by HTTP status. */
export const errorAnswers = (operation: Operation, collector: SchemaCollector): Record<string, ResponseObject> => {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of codesOf(operation)) (byStatus[ERROR_CODES[code].http] ??= []).push(code);
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => [status, answer(codes, collector)]));
};
