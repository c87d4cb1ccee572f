import { META } from '../json-rpc/meta-key.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { changeTool } from './change-options.js';
import { defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { paramsOf } from './params.js';

const ABLE = { sampling: {}, elicitation: {}, roots: {} };

type ChangeParams = (params: JsonObject) => JsonObject;

/** Changes what is asked of the client, in either era. */
const changeQuestion =
  (method: string, change: ChangeParams): NonNullable<Mutation['toClient']> =>
  (message) => {
    if (message['method'] === method) return { ...message, params: change(paramsOf(message)) };
    const { result } = message;
    if (!isObject(result) || !isObject(result['inputRequests'])) return message;
    const inputRequests = Object.entries(result['inputRequests']).map(([key, request]) => [
      key,
      isObject(request) && request['method'] === method ? { ...request, params: change(paramsOf(request)) } : request,
    ]);
    return { ...message, result: { ...result, inputRequests: Object.fromEntries(inputRequests) as JsonObject } };
  };

const changeField =
  (name: string, schema: JsonObject): ChangeParams =>
  (params) => {
    const form = isObject(params['requestedSchema']) ? params['requestedSchema'] : undefined;
    if (form === undefined) return params;
    const properties = isObject(form['properties']) ? form['properties'] : {};
    return { ...params, requestedSchema: { ...form, properties: { ...properties, [name]: schema } } };
  };

/** Pretends to the server that every client can do everything. */
const asksEverybody: Mutation = {
  toServer: (message) => {
    const params = paramsOf(message);
    if (message['method'] === 'initialize') return { ...message, params: { ...params, capabilities: ABLE } };
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    if (!(META.clientCapabilities in meta)) return message;
    return { ...message, params: { ...params, _meta: { ...meta, [META.clientCapabilities]: ABLE } } };
  },
};

/** Never comes to an end when it does not get what it asked for. */
const hangsOnRefusal: Mutation = {
  toClient: (message, { request }) => {
    const failed = JSON.stringify(message['result'] ?? '').includes('decline');
    return failed && request?.['method'] === 'tools/call' ? undefined : message;
  },
};

/** Says nothing while it waits for the client. */
const blocks = (): Mutation => {
  let waiting = false;
  return {
    toServer: (message) => {
      if ('result' in message || 'error' in message) waiting = false;
      return waiting && message['method'] === 'ping' ? undefined : message;
    },
    toClient: (message) => {
      waiting ||= message['method'] === 'elicitation/create';
      return message;
    },
  };
};

export const serverRequestMutants: readonly Mutant[] = [
  defineMutant({
    name: 'sampling-with-context',
    kills: 'LNT-18',
    defect: 'A tool asks the model of the client with the context of all servers.',
    mutation: {
      toClient: changeQuestion('sampling/createMessage', (params) => ({ ...params, includeContext: 'allServers' })),
    },
  }),
  defineMutant({
    name: 'asks-clients-that-cannot',
    kills: 'S2C-01',
    alsoKills: ['LIF-25'],
    defect: 'The server asks also those clients that declared nothing.',
    mutation: asksEverybody,
  }),
  defineMutant({
    name: 'form-with-nested-object',
    kills: 'S2C-02',
    alsoKills: ['RPC-01'],
    defect: 'A form has a field that is an object.',
    mutation: {
      toClient: changeQuestion('elicitation/create', changeField('address', { type: 'object', properties: {} })),
    },
  }),
  defineMutant({
    name: 'silent-when-declined',
    kills: 'S2C-03',
    defect: 'A tool never ends when the user declines.',
    mutation: hangsOnRefusal,
  }),
  defineMutant({
    name: 'blocked-by-a-silent-client',
    kills: 'S2C-04',
    defect: 'While a client does not answer, nothing else is served.',
    transports: ['stdio'],
    mutation: blocks,
  }),
  defineMutant({
    name: 'form-asks-for-a-password',
    kills: 'S2C-05',
    defect: 'A form asks for a password.',
    mutation: { toClient: changeQuestion('elicitation/create', changeField('password', { type: 'string' })) },
  }),
  defineMutant({
    name: 'address-with-a-token',
    kills: 'S2C-06',
    defect: 'The address to open carries an access token.',
    mutation: {
      toClient: changeQuestion('elicitation/create', (params) =>
        params['mode'] === 'url' ? { ...params, url: 'https://example.com/confirm?access_token=abc' } : params,
      ),
    },
  }),
  defineMutant({
    name: 'takes-any-answer',
    kills: 'S2C-07',
    defect: 'Answers are not compared with the form.',
    mutation: {
      options: changeTool('elicit', {
        handler: async (args, call) => {
          if (Object.keys(args).length > 0) {
            return { content: [{ type: 'text', text: 'No arguments.' }], isError: true };
          }
          const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
          return JSON.stringify(await call.elicit({ mode: 'form', message: 'Your name?', requestedSchema }));
        },
      }),
    },
  }),
  defineMutant({
    name: 'default-that-does-not-fit',
    kills: 'S2C-08',
    alsoKills: ['RPC-01', 'S2C-03'],
    defect: 'The default of a text field is a number.',
    mutation: { toClient: changeQuestion('elicitation/create', changeField('age', { type: 'string', default: 7 })) },
  }),
  defineMutant({
    name: 'sampling-with-tools',
    kills: 'S2C-09',
    defect: 'Tools are sent to a client that did not declare sampling.tools.',
    mutation: {
      toClient: changeQuestion('sampling/createMessage', (params) => ({
        ...params,
        tools: [{ name: 'search', inputSchema: { type: 'object' } }],
      })),
    },
  }),
];
