import type { z } from 'zod';
import { TAGS, type Answer, type Operation } from '../operation.js';
import { paramNames } from '../endpoint/path-template.js';
import type { OperationObject, ParameterObject, ResponseObject } from './document-types.js';
import { errorAnswers } from './error-answers.js';
import type { SchemaCollector } from './schema-collector.js';

const PATH_PARAMS: Readonly<Record<string, string>> = {
  mcp_server_id: 'The id of a server (`mcp_server-<uuid>`) or its name.',
  tool_id: 'The id of a tool: `tool-<uuid>`.',
  toolset: 'The id or the name of a toolset.',
  agent_id: 'The id or the name of an agent.',
  tool_name: "A tool's model-facing name, or the one that its server gave it.",
  key_id: 'The id of a key: `key-<uuid>`.',
  mcp_server_name: 'The name of a server.',
  mcp_tool_name: "A tool's own name, percent-encoded.",
};

const pathParameters = (operation: Operation): ParameterObject[] =>
  paramNames(operation.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMS[name] ?? name,
    schema: { type: 'string' },
  }));

const queryParameters = (query: z.ZodObject | undefined, collector: SchemaCollector): ParameterObject[] =>
  Object.entries(query?.shape ?? {}).map(([name, member]) => {
    const { description, ...schema } = collector.refer(member as z.ZodType, 'input');
    return {
      name,
      in: 'query',
      required: false,
      ...(typeof description === 'string' ? { description } : {}),
      schema,
    };
  });

const keyParameters = ({ method }: Operation): ParameterObject[] =>
  method === 'get'
    ? []
    : [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'The request is carried out once with this key, however often it is sent within 24 hours.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      ];

const requestBody = (operation: Operation, collector: SchemaCollector): OperationObject['requestBody'] =>
  operation.body && {
    required: operation.bodyOptional !== true,
    content: {
      'application/json': {
        schema: collector.refer(operation.body, 'input'),
        ...(operation.bodyExample === undefined ? {} : { example: operation.bodyExample }),
      },
    },
  };

const response = (answer: Answer, collector: SchemaCollector): ResponseObject => ({
  description: answer.description,
  ...(answer.headers === undefined
    ? {}
    : {
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, description]) => [
            name,
            { description, schema: { type: 'string' } },
          ]),
        ),
      }),
  ...(answer.schema === undefined
    ? {}
    : { content: { [answer.mediaType ?? 'application/json']: { schema: collector.refer(answer.schema, 'output') } } }),
});

/** One operation as OpenAPI describes it. */
export const operationObject = (operation: Operation, collector: SchemaCollector): OperationObject => {
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation.query, collector),
    ...keyParameters(operation),
  ];
  const body = requestBody(operation, collector);
  const answers = Object.entries(operation.answers).map(([status, answer]) => [status, response(answer, collector)]);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [TAGS[operation.tag]],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      ...(Object.fromEntries(answers) as Record<string, ResponseObject>),
      ...errorAnswers(operation, collector),
    },
  };
};
