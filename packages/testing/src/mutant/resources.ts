import type { FakeServerOptions } from '../definition/server-options.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { changeResult, defineMutant, without, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { answerSome, paramsOf, resultFor } from './params.js';

const UPDATED = 'notifications/resources/updated';

const addResource =
  (resource: JsonObject) =>
  (options: FakeServerOptions): FakeServerOptions => ({
    ...options,
    resources: [...(options.resources ?? []), { uri: 'test://added', name: 'added', text: 'Added', ...resource }],
  });

const changeContents = (change: (contents: JsonObject) => JsonObject): NonNullable<Mutation['toClient']> =>
  changeResult('resources/read', (result) => ({
    ...result,
    contents: (Array.isArray(result['contents']) ? result['contents'] : []).map((one: unknown) =>
      isObject(one) ? change(one) : one,
    ),
  }));

const nowhere = ({ uri }: JsonObject): boolean =>
  String(uri).startsWith('plugboard-check:') || String(uri).startsWith('https://example.invalid');

const listMutants: readonly Mutant[] = [
  defineMutant({
    name: 'resource-with-a-blank-in-its-uri',
    kills: 'RES-01',
    alsoKills: ['RPC-01'],
    defect: 'The URI of a resource contains a space.',
    mutation: { options: addResource({ uri: 'test://two words' }) },
  }),
  defineMutant({
    name: 'resource-listed-twice',
    kills: 'RES-01',
    doubtful: true,
    alsoKills: ['PAG-01'],
    defect: 'Two resources have the same URI.',
    mutation: { options: addResource({ uri: 'test://greeting' }) },
  }),
  defineMutant({
    name: 'template-with-open-brace',
    kills: 'RES-05',
    defect: 'A template has a brace that is never closed.',
    mutation: {
      options: (options) => ({
        ...options,
        resourceTemplates: [...(options.resourceTemplates ?? []), { uriTemplate: 'test://{a/b', name: 'broken' }],
      }),
    },
  }),
  defineMutant({
    name: 'resource-priority-of-ten',
    kills: 'RES-10',
    alsoKills: ['RPC-01'],
    defect: 'A resource has the priority 10.',
    mutation: { options: addResource({ annotations: { priority: 10 } }) },
  }),
  defineMutant({
    name: 'read-without-cache-scope',
    kills: 'RES-11',
    alsoKills: ['RPC-01'],
    defect: 'Contents do not state who may cache them.',
    mutation: { toClient: changeResult('resources/read', (result) => without(result, 'cacheScope')) },
  }),
  defineMutant({
    name: 'resource-on-localhost',
    kills: 'RES-12',
    defect: 'A resource has an address on the machine of the server.',
    mutation: { options: addResource({ uri: 'http://localhost:3000/file' }) },
  }),
];

const readMutants: readonly Mutant[] = [
  defineMutant({
    name: 'read-without-contents',
    kills: 'RES-02',
    alsoKills: ['RPC-01'],
    defect: 'What is read has neither text nor blob.',
    mutation: { toClient: changeContents((contents) => without(contents, 'text', 'blob')) },
  }),
  defineMutant({
    name: 'unknown-resource-with-the-old-code',
    kills: 'RES-03',
    alsoKills: ['RPC-12'],
    eras: ['modern'],
    transports: ['stdio', 'streamable-http'],
    defect: 'In the modern era an unknown resource is refused with -32002.',
    mutation: {
      toClient: (message, { request }) =>
        request?.['method'] === 'resources/read' && isObject(message['error'])
          ? { ...message, error: { ...message['error'], code: -32_002 } }
          : message,
    },
  }),
  defineMutant({
    name: 'unknown-resource-is-served',
    kills: 'RES-03',
    eras: ['legacy'],
    doubtful: true,
    defect: 'An unknown resource comes back as a text.',
    mutation: {
      answer: answerSome('resources/read', nowhere, (message) =>
        resultFor(message, {
          contents: [{ uri: String(paramsOf(message)['uri']), text: '' }],
          ttlMs: 0,
          cacheScope: 'private',
        }),
      ),
    },
  }),
  defineMutant({
    name: 'unknown-resource-is-empty',
    kills: 'RES-04',
    alsoKills: ['RES-03'],
    defect: 'An unknown resource comes back with empty contents.',
    mutation: {
      answer: answerSome('resources/read', nowhere, (message) =>
        resultFor(message, { contents: [], ttlMs: 0, cacheScope: 'private' }),
      ),
    },
  }),
  defineMutant({
    name: 'malformed-uri-is-served',
    kills: 'RES-06',
    defect: 'Text that is not a URI is read as if it were one.',
    mutation: {
      answer: answerSome(
        'resources/read',
        ({ uri }) => uri === 'not a uri' || uri === '://',
        (message) =>
          resultFor(message, { contents: [{ uri: 'test://x', text: 'x' }], ttlMs: 0, cacheScope: 'private' }),
      ),
    },
  }),
  defineMutant({
    name: 'image-that-is-none',
    kills: 'RES-09',
    defect: 'A resource that is listed as a picture is something else.',
    mutation: {
      toClient: changeContents((contents) =>
        contents['mimeType'] === 'image/png' ? { ...contents, blob: 'SGVsbG8h' } : contents,
      ),
    },
  }),
];

const subscribeMutants: readonly Mutant[] = [
  defineMutant({
    name: 'updates-of-everything',
    kills: 'RES-07',
    alsoKills: ['SUB-02'],
    eras: ['legacy'],
    defect: 'A client that subscribed to one resource gets updates of all.',
    mutation: {
      toClient: (message) =>
        message['method'] === UPDATED ? [message, { ...message, params: { uri: 'test://other' } }] : message,
    },
  }),
  defineMutant({
    name: 'unsubscribing-does-nothing',
    kills: 'RES-07',
    eras: ['legacy'],
    defect: 'Updates go on after unsubscribing.',
    mutation: {
      toServer: (message) =>
        message['method'] === 'resources/unsubscribe' ? { ...message, params: { uri: 'test://nothing' } } : message,
    },
  }),
  defineMutant({
    name: 'subscribe-not-declared',
    kills: 'RES-08',
    defect: 'resources/subscribe is served without being declared.',
    mutation: {
      toClient: changeResult('initialize', (result) => {
        const capabilities = isObject(result['capabilities']) ? result['capabilities'] : {};
        return { ...result, capabilities: { ...capabilities, resources: { listChanged: true } } };
      }),
    },
  }),
];

export const resourceMutants: readonly Mutant[] = [...listMutants, ...readMutants, ...subscribeMutants];
