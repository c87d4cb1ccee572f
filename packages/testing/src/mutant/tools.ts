import type { Era } from '../definition/era.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError } from '../json-rpc/rpc-error.js';
import { addTool, changedEcho, changeTool } from './change-options.js';
import { changeResult, defineMutant, without, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { answerSome, eraOf, errorFor, paramsOf, resultFor } from './params.js';

const text = (value: string): JsonObject => ({ type: 'text', text: value });

const done = (message: JsonObject): JsonObject => resultFor(message, { content: [text('done')] });

const refuse = (message: JsonObject): JsonObject => errorFor(message, INVALID_PARAMS, 'Invalid arguments');

/** Lists in the opposite order every second time. */
const fickleOrder = (): Mutation => {
  let walks = 0;
  return {
    toClient: changeResult('tools/list', (result, { request }) => {
      if (paramsOf(request)['cursor'] === undefined) walks += 1;
      const tools = Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : [];
      return walks % 2 === 0 ? { ...result, tools: tools.toReversed() } : result;
    }),
  };
};

/** Hides a tool once something was called. */
const listForgetsAfterCalls = (): Mutation => {
  let called = false;
  return {
    toServer: (message) => {
      called ||= message['method'] === 'tools/call';
      return message;
    },
    toClient: changeResult('tools/list', (result) => {
      const tools = Array.isArray(result['tools']) ? (result['tools'] as JsonObject[]) : [];
      return called ? { ...result, tools: tools.filter(({ name }) => name !== 'announce') } : result;
    }),
  };
};

const failEverySecond = (): Mutation => {
  const calls = { legacy: 0, modern: 0 };
  return {
    toClient: changeSum((_result, era) => {
      calls[era] += 1;
      return calls[era] % 2 === 0 ? { content: [text('Not now.')], isError: true } : {};
    }),
  };
};

const changeToolMutation = (name: string, handler: (args: JsonObject) => string | JsonObject): Mutation => ({
  options: changeTool(name, { handler }),
});

/** Changes the proper results of the tool that adds. */
const changeSum = (change: (result: JsonObject, era: Era) => JsonObject): NonNullable<Mutation['toClient']> =>
  changeResult('tools/call', (result, { request }) =>
    paramsOf(request)['name'] === 'add' && result['isError'] !== true
      ? { ...result, ...change(result, eraOf(request)) }
      : result,
  );

const definitionMutants: readonly Mutant[] = [
  defineMutant({
    name: 'tool-schema-without-type',
    kills: 'TOL-01',
    alsoKills: ['RPC-01'],
    defect: 'The inputSchema of a tool does not say that it is an object.',
    mutation: { options: addTool({ name: 'untyped', inputSchema: { properties: {} } }) },
  }),
  defineMutant({
    name: 'tool-name-with-spaces',
    kills: 'TOL-02',
    defect: 'A tool has spaces in its name.',
    mutation: { options: addTool({ name: 'a tool with spaces', inputSchema: { type: 'object' } }) },
  }),
  defineMutant({
    name: 'tool-schema-of-unknown-type',
    kills: 'TOL-03',
    defect: 'A parameter has a type that JSON Schema does not know.',
    mutation: {
      options: addTool({ name: 'odd', inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } }),
    },
  }),
  defineMutant({
    name: 'tool-schema-with-remote-reference',
    kills: 'TOL-04',
    defect: 'A parameter is described at an address on the network.',
    mutation: {
      options: addTool({
        name: 'remote',
        inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } },
      }),
    },
  }),
  defineMutant({
    name: 'tool-order-changes',
    kills: 'TOL-05',
    defect: 'The order of the tools changes from one request to the next.',
    mutation: fickleOrder,
  }),
  defineMutant({
    name: 'tool-list-depends-on-calls',
    kills: 'TOL-06',
    defect: 'After a call another tool is no longer listed.',
    mutation: listForgetsAfterCalls,
  }),
  defineMutant({
    name: 'tool-hints-contradict',
    kills: 'TOL-16',
    defect: 'A tool is read-only and destructive at once.',
    mutation: { options: changeTool('add', { annotations: { readOnlyHint: true, destructiveHint: true } }) },
  }),
  defineMutant({
    name: 'tool-icon-from-a-file',
    kills: 'TOL-19',
    defect: 'The icon of a tool is a file of the machine.',
    mutation: { options: changeTool('add', { extra: { icons: [{ src: 'file:///etc/icon.png' }] } }) },
  }),
  defineMutant({
    name: 'tool-list-without-ttl',
    kills: 'TOL-21',
    alsoKills: ['RPC-01'],
    defect: 'The list of tools does not state how long it may be cached.',
    eras: ['modern'],
    mutation: { toClient: changeResult('tools/list', (result) => without(result, 'ttlMs')) },
  }),
];

const callMutants: readonly Mutant[] = [
  defineMutant({
    name: 'unknown-tool-is-a-result',
    kills: 'TOL-07',
    defect: 'A call of an unknown tool comes back as a result.',
    mutation: {
      answer: answerSome(
        'tools/call',
        ({ name }) => name === 'no-such-tool-here',
        (message) => resultFor(message, { content: [text('Unknown tool')], isError: true }),
      ),
    },
  }),
  defineMutant({
    name: 'call-without-name-succeeds',
    kills: 'TOL-08',
    defect: 'A call without a name succeeds.',
    mutation: { answer: answerSome('tools/call', ({ name }) => typeof name !== 'string', done) },
  }),
  defineMutant({
    name: 'arguments-not-validated',
    kills: 'TOL-09',
    defect: 'A tool accepts any arguments.',
    mutation: changeToolMutation('pick_colour', (args) => `The code of ${JSON.stringify(args)}.`),
  }),
  defineMutant({
    name: 'unknown-arguments-dropped',
    kills: 'TOL-09',
    doubtful: true,
    defect: 'A tool drops arguments that its schema forbids.',
    mutation: changeToolMutation('get_status', () => 'The server is well.'),
  }),
  defineMutant({
    name: 'long-text-breaks-the-tool',
    kills: 'TOL-10',
    defect: 'A tool breaks down on texts of more than ten characters.',
    mutation: changeToolMutation('echo', (args) => {
      if (typeof args['text'] === 'string' && args['text'].length > 10) throw new RpcError(-32_603, 'Internal error');
      return typeof args['text'] === 'string' ? args['text'] : { content: [text('Not a text.')], isError: true };
    }),
  }),
  defineMutant({
    name: 'image-is-not-base64',
    kills: 'TOL-11',
    alsoKills: ['RPC-01'],
    defect: 'The data of an image is not base64.',
    mutation: changeToolMutation('get_status', () => ({
      content: [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }],
    })),
  }),
  defineMutant({
    name: 'structured-content-of-wrong-type',
    kills: 'TOL-12',
    defect: 'The structured result is a text where the outputSchema says a number.',
    mutation: {
      toClient: changeSum(() => {
        const structuredContent = { sum: 'three' };
        return { content: [text(JSON.stringify(structuredContent))], structuredContent };
      }),
    },
  }),
  defineMutant({
    name: 'structured-content-not-as-text',
    kills: 'TOL-13',
    defect: 'The structured result is not repeated as text.',
    mutation: { toClient: changeSum((result) => ({ ...result, content: [text('Done.')] })) },
  }),
  defineMutant({
    name: 'wrong-arguments-as-protocol-error',
    kills: 'TOL-14',
    alsoKills: ['MRT-02'],
    defect: 'Wrong arguments come back as a JSON-RPC error.',
    mutation: {
      toClient: (message, { request }) =>
        isObject(message['result']) && message['result']['isError'] === true && request !== undefined
          ? refuse(message)
          : message,
    },
  }),
  defineMutant({
    name: 'arguments-may-not-be-omitted',
    kills: 'TOL-15',
    defect: 'A call without arguments is refused, although the tool needs none.',
    mutation: {
      answer: answerSome(
        'tools/call',
        ({ name, arguments: args }) => typeof name === 'string' && args === undefined,
        refuse,
      ),
    },
  }),
  defineMutant({
    name: 'idempotent-tool-fails-the-second-time',
    kills: 'TOL-17',
    defect: 'A tool that claims to be idempotent fails every second time.',
    mutation: failEverySecond,
  }),
  defineMutant({
    name: 'task-without-the-capability',
    kills: 'TOL-20',
    defect: 'A call becomes a task although the server declares no tasks.',
    mutation: {
      answer: answerSome(
        'tools/call',
        ({ task }) => isObject(task),
        (message) => {
          const time = '2026-01-01T00:00:00Z';
          const task = { taskId: 'f1', status: 'working', createdAt: time, lastUpdatedAt: time, ttl: 1_000 };
          return { jsonrpc: '2.0', id: message['id'], result: { task } };
        },
      ),
    },
  }),
  defineMutant({
    name: 'result-of-two-hundred-thousand-characters',
    kills: 'TOL-22',
    defect: 'A tool answers with more than models accept.',
    mutation: changeToolMutation('get_status', () => 'x'.repeat(200_000)),
  }),
  defineMutant({
    name: 'echo-in-latin-1',
    kills: 'TOL-23',
    defect: 'A tool writes text in an encoding of one byte, so that other characters become question marks.',
    mutation: changedEcho((text) => text.replaceAll(/[^\u0000-\u00ff]/gu, '?')),
  }),
  defineMutant({
    name: 'echo-cuts-long-texts',
    kills: 'TOL-23',
    defect: 'A tool truncates its text after 65,536 characters and does not say so.',
    mutation: changedEcho((text) => text.slice(0, 65_536)),
  }),
];

export const toolMutants: readonly Mutant[] = [...definitionMutants, ...callMutants];
