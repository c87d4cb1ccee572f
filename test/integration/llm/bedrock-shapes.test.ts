import * as aws from '@aws-sdk/client-bedrock-runtime';
import { bedrockProvider, type Message, type ModelRequest, userText } from '@plugboard/agent';
import { isJsonObject } from '@plugboard/base';
import { DOUBLE_CREDENTIALS, MemoryLlm, type Turn } from '@plugboard/testing/llm';
import { describe, expect, test } from 'vitest';
import { bedrockCount, bedrockRequest } from '../../../packages/agent/src/provider/bedrock/bedrock-request.js';
import { featuresOf } from '../../../packages/agent/src/provider/feature/model-features.js';

/*
 * The AWS SDK carries the model of the service: names, types and required members of every shape. It drops members that
 * the model does not have when it writes, and when it reads, so a misspelt one would go unnoticed. Here every body is
 * compared with that model.
 */

const [LIST, MAP, STRUCTURE, UNION] = [1, 2, 3, 4];
const [TEXT, NUMBER, YES_OR_NO] = ['string', 'number', 'boolean'];
/** Simple types of the model, by their number: text, number, boolean, and bytes, which travel as text. */
const SIMPLE: Readonly<Record<number, string>> = { 0: TEXT, 1: NUMBER, 2: YES_OR_NO, 21: TEXT };
const DOCUMENT = 15;
/** Added to the number of a simple type. */
const LIST_OF = 64;

/** Members may be wrapped with traits, and refer to their shape by a function. */
const resolve = (given: unknown): unknown => {
  if (typeof given === 'function') return resolve((given as () => unknown)());
  if (Array.isArray(given) && (typeof given[0] === 'function' || Array.isArray(given[0]))) return resolve(given[0]);
  return Array.isArray(given) && given.length === 2 ? resolve(given[0]) : given;
};

/** What of a value is not in the model. */
const strangers = (given: unknown, value: unknown, at: string): readonly string[] => {
  const shape = resolve(given);
  if (shape === DOCUMENT) return [];
  if (typeof shape === 'number' && shape >= LIST_OF) {
    return strangers([LIST, '', '', 0, shape - LIST_OF], value, at);
  }
  if (typeof shape === 'number') {
    return typeof value === SIMPLE[shape] ? [] : [`${at} is no ${SIMPLE[shape] ?? `type ${shape}`}`];
  }
  const [kind, , name, , third, schemas, required = 0] = shape as [
    number,
    string,
    string,
    unknown,
    unknown,
    unknown[],
    number?,
  ];
  if (kind === LIST) {
    return Array.isArray(value)
      ? value.flatMap((item, index) => strangers(third, item, `${at}[${index}]`))
      : [`${at} is no list`];
  }
  if (!isJsonObject(value)) return [`${at} is no object (${name})`];
  if (kind === MAP) return [];
  if (kind !== STRUCTURE && kind !== UNION) return [`${at} has the unknown kind ${kind}`];
  const members = third as readonly string[];
  const missing = members.slice(0, required).filter((member) => value[member] === undefined);
  const size = Object.keys(value).length;
  return [
    ...missing.map((member) => `${at}.${member} is missing (${name})`),
    ...(kind === UNION && size !== 1 ? [`${at} has ${size} members (${name})`] : []),
    ...Object.entries(value).flatMap(([member, inner]) => {
      const place = members.indexOf(member);
      return place === -1
        ? [`${at}.${member} is unknown (${name})`]
        : strangers(schemas[place], inner, `${at}.${member}`);
    }),
  ];
};

const modelId = 'anthropic.claude-double-v1:0';
const [REGION, CREDENTIALS] = [
  DOUBLE_CREDENTIALS.region,
  { accessKeyId: DOUBLE_CREDENTIALS.accessKeyId, secretAccessKey: DOUBLE_CREDENTIALS.secretAccessKey },
];

const TURNS: readonly (readonly [string, Turn])[] = [
  ['text', { text: 'Yes.' }],
  ['text that is cut', { text: 'A long answer that is cut. '.repeat(9) }],
  ['thoughts and calls', { thinking: 'Hm.', text: 'Now.', toolCalls: [{ name: 'look', arguments: { at: 1 } }] }],
  [
    'two calls and usage',
    { toolCalls: [1, 2].map((at) => ({ name: 'look', arguments: { at } })), usage: { cachedInput: 3 } },
  ],
  ['another finish', { text: 'No.', finish: 'guardrail_intervened' }],
];

const toolConfig = { tools: [{ toolSpec: { name: 'look', inputSchema: { json: { type: 'object' } } } }] };

describe('bodies of the double are those of the model of the service', () => {
  const clientOf = (double: MemoryLlm) =>
    new aws.BedrockRuntimeClient({
      region: REGION,
      credentials: CREDENTIALS,
      endpoint: double.url,
      maxAttempts: 1,
      requestHandler: double.awsHandler as never,
    });
  const input = { modelId, messages: [{ role: 'user' as const, content: [{ text: 'Hi' }] }], toolConfig };
  const inferenceConfig = { maxTokens: 20 };

  test.each(TURNS)('%s, whole', async (_, turn) => {
    const double = new MemoryLlm();
    const sent: unknown[] = [];
    double.next({ ...turn, tamper: (body) => (sent.push(structuredClone(body)), body) });
    const answer = await clientOf(double).send(new aws.ConverseCommand({ ...input, inferenceConfig }));
    expect(strangers(aws.ConverseResponse$, sent[0], 'body')).toEqual([]);
    const { $metadata: _metadata, ...read } = answer;
    expect(JSON.parse(JSON.stringify(read))).toEqual(sent[0]);
  });

  test.each(TURNS)('%s, as a stream', async (_, turn) => {
    const double = new MemoryLlm();
    const sent: unknown[] = [];
    double.next({
      ...turn,
      tamperStream: (pieces) => {
        for (const piece of pieces) {
          if (typeof piece === 'object' && 'data' in piece) {
            sent.push({ [piece.event ?? '']: piece.data });
          }
        }
        return pieces;
      },
    });
    const { stream } = await clientOf(double).send(new aws.ConverseStreamCommand({ ...input, inferenceConfig }));
    const read: unknown[] = [];
    for await (const event of stream ?? []) read.push(JSON.parse(JSON.stringify(event)));
    expect(sent.flatMap((event, at) => strangers(aws.ConverseStreamOutput$, event, `event[${at}]`))).toEqual([]);
    expect(read).toEqual(sent);
  });

  test('a count', async () => {
    const double = new MemoryLlm();
    const counted = await clientOf(double).send(
      new aws.CountTokensCommand({ modelId, input: { converse: { messages: input.messages, toolConfig } } }),
    );
    expect(counted.inputTokens).toBeGreaterThan(0);
    const body = Buffer.from('{"prompt":"Hello, how are you?"}');
    const invoked = await clientOf(double).send(
      new aws.CountTokensCommand({ modelId, input: { invokeModel: { body } } }),
    );
    expect(invoked.inputTokens).toBe(Math.ceil(body.length / 4));
  });
});

const PNG = 'iVBORw0KGgo=';
const called: readonly Message[] = [
  userText('Look.'),
  {
    role: 'assistant',
    content: [
      {
        type: 'thinking',
        text: 'Hm.',
        opaque: {
          provider: 'bedrock',
          value: { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
        },
      },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', id: 'one', name: 'look', arguments: '{"at":1}' },
    ],
  },
  {
    role: 'tool',
    results: [
      {
        callId: 'one',
        name: 'look',
        text: 'Grey.',
        media: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
        isError: true,
      },
    ],
  },
];
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];

const REQUESTS: readonly (readonly [string, Partial<ModelRequest>])[] = [
  ['a question', {}],
  ['a picture', { messages: [{ role: 'user', content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }] }],
  ['all parameters', { system: 'Be brief.', maxTokens: 50, temperature: 0.5, stop: ['END'], cache: true }],
  ['tools and their results', { messages: called, tools, toolChoice: 'auto', cache: true }],
  ['a tool that must be called', { tools, toolChoice: { tool: 'look' } }],
  ['any tool', { tools, toolChoice: 'required' }],
  ['structured output', { output: { name: 'answer', schema: { type: 'object' } } }],
  ['thinking', { thinking: { budgetTokens: 2000 }, maxTokens: 100 }],
  [
    'a beginning of the answer',
    { messages: [userText('Hi.'), { role: 'assistant', content: [{ type: 'text', text: 'It is ' }] }] },
  ],
];

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      inner instanceof Uint8Array ? Buffer.from(inner).toString('base64') : inner,
    ),
  );

describe('bodies of the provider are those of the model of the service, and the SDK drops nothing of them', () => {
  test.each(REQUESTS)('%s', async (_, changes) => {
    const double = new MemoryLlm();
    double.always({ text: 'Yes.', toolCalls: [{ name: 'look', arguments: {} }] });
    const known = { thinking: 'budget' } as const;
    const provider = bedrockProvider({
      region: REGION,
      credentials: CREDENTIALS,
      baseUrl: double.url,
      features: known,
      requestHandler: double.awsHandler as never,
    });
    const request = { model: modelId, messages: [userText('Hi.')], ...changes };
    await provider.complete(request);
    await provider.countTokens?.(request);
    expect(double.refusals).toEqual([]);
    const lookup = featuresOf('anthropic', known);
    const [conversed, counted] = [plain(bedrockRequest(request, lookup)), plain(bedrockCount(request, lookup))];
    expect(strangers(aws.ConverseRequest$, conversed, 'converse')).toEqual([]);
    expect(strangers(aws.CountTokensRequest$, counted, 'count')).toEqual([]);
    const arrived = double.arrivals.map(({ body }) => ({ modelId, ...(JSON.parse(body.toString()) as object) }));
    expect(arrived).toEqual([conversed, counted]);
  });
});
