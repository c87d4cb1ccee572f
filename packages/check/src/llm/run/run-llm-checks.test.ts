import {
  DOUBLE_CREDENTIALS,
  DOUBLE_KEY,
  type LlmRequest,
  MemoryLlm,
  type StreamPiece,
  type Turn,
} from '@plugboard/testing/llm';
import type { CheckReport } from '@plugboard/contract';
import { describe, expect, test } from 'vitest';
import { at, isObject } from '../../connection/json.js';
import { adaptedTools } from '../adapted-tool.js';
import { type LlmRunOptions, runLlmChecks } from './run-llm-checks.js';
import type { LlmApi, LlmTarget } from '../target.js';
import { goodModel } from '../test-support/good-model.js';

const MODELS: Readonly<Record<LlmApi, string>> = {
  'openai-chat': 'gpt-double',
  'openai-responses': 'gpt-double',
  anthropic: 'claude-double',
  bedrock: 'anthropic.claude-double-v1:0',
};

const targetOf = (double: MemoryLlm, api: LlmApi, more: Partial<LlmTarget> = {}): LlmTarget => ({
  api,
  url: api.startsWith('openai') ? double.openaiUrl : double.url,
  model: MODELS[api],
  ...(api === 'bedrock' ? { aws: DOUBLE_CREDENTIALS } : { key: DOUBLE_KEY }),
  timeoutMs: 5_000,
  burst: 0,
  ...more,
});

const examine = (double: MemoryLlm, target: LlmTarget, more: Partial<LlmRunOptions> = {}): Promise<CheckReport> =>
  runLlmChecks(target, { failOn: 'must', version: '0.0.0', fetch: double.fetch, ...more });

const redOf = ({ results }: CheckReport): readonly string[] =>
  results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

const APIS = Object.keys(MODELS) as readonly LlmApi[];

describe('an endpoint that does what its API documents', () => {
  test.each(APIS)(
    'passes every check: %s',
    async (api) => {
      const double = new MemoryLlm();
      double.always(goodModel);
      const report = await examine(
        double,
        targetOf(double, api, {
          contextTokens: 100_000,
          batchMs: 5_000,
          cacheTokens: 2_000,
          embeddingModel: 'embedding-double',
        }),
        {
          tools: adaptedTools([{ name: 'a.b', inputSchema: { type: 'object' } }], api),
        },
      );
      expect(report.results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')).toEqual([]);
      expect(report).toMatchObject({ outcome: 'passed', kind: 'llm' });
      expect(JSON.stringify(report)).not.toContain(DOUBLE_KEY);
    },
    30_000,
  );

  test('may be an older one that knows only max_tokens', async () => {
    const double = new MemoryLlm();
    double.always((request) =>
      'max_completion_tokens' in request.body
        ? { fault: { status: 400, message: 'Unknown field.' } }
        : goodModel(request),
    );
    const report = await examine(double, targetOf(double, 'openai-chat'));
    expect([report.outcome, redOf(report)]).toEqual(['passed', []]);
  });
});

type Pieces = readonly StreamPiece[];

const dataOf = (piece: StreamPiece | undefined): unknown =>
  typeof piece === 'object' && 'data' in piece ? piece.data : undefined;

const isFinish = (piece: StreamPiece): boolean => {
  const data = dataOf(piece);
  const [choice] = (at(data, 'choices') ?? []) as readonly unknown[];
  return typeof at(choice, 'finish_reason') === 'string' || typeof at(data, 'delta', 'stop_reason') === 'string';
};

const finishIndex = (pieces: Pieces): number => pieces.findIndex(isFinish);

const textPiece = (pieces: Pieces): StreamPiece =>
  pieces.find((piece) => /"content":"[^"]|text_delta/u.test(JSON.stringify(dataOf(piece) ?? ''))) ?? {
    raw: '',
  };

const withData =
  (change: (data: Record<string, unknown>, index: number) => unknown) =>
  (pieces: Pieces): Pieces =>
    pieces.map((piece, index) => {
      const data = dataOf(piece);
      return isObject(data) && typeof piece === 'object' ? { ...piece, data: change({ ...data }, index) } : piece;
    });

const onStream =
  (tamperStream: NonNullable<Turn['tamperStream']>) =>
  (request: LlmRequest): Turn => ({ ...goodModel(request), ...(request.stream ? { tamperStream } : {}) });

const onWhole =
  (tamper: NonNullable<Turn['tamper']>) =>
  (request: LlmRequest): Turn => ({ ...goodModel(request), tamper });

const onCall =
  (change: Partial<{ name: string; arguments: object | string; id: string }>) =>
  (request: LlmRequest): Turn => {
    const turn = goodModel(request);
    return turn.toolCalls === undefined ? turn : { toolCalls: turn.toolCalls.map((call) => ({ ...call, ...change })) };
  };

/** Misbehaving models, each with the API it is tried on and the check that must find it. */
const MUTANTS: readonly (readonly [string, LlmApi, string, (request: LlmRequest) => Turn])[] = [
  ['reports no usage', 'openai-chat', 'LLM-03', (request) => ({ ...goodModel(request), usage: null })],
  ['reports no usage', 'anthropic', 'LLM-03', (request) => ({ ...goodModel(request), usage: null })],
  ['reports no usage', 'bedrock', 'LLM-13', (request) => ({ ...goodModel(request), usage: null })],
  [
    'reports a total that is not the sum',
    'openai-chat',
    'LLM-03',
    onWhole((body) => ({ ...body, usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 9 } })),
  ],
  ['leaves the role out', 'anthropic', 'LLM-02', onWhole(({ role: _role, ...body }) => body)],
  [
    'ignores the token limit',
    'openai-chat',
    'LLM-04',
    onWhole((body) => ({
      ...body,
      choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
    })),
  ],
  ['ends for a reason of its own', 'anthropic', 'LLM-05', (request) => ({ ...goodModel(request), finish: 'bored' })],
  [
    'sends a chunk that is not JSON',
    'openai-chat',
    'LLM-10',
    (request) => ({ ...goodModel(request), fault: { malformedAfter: 2 } }),
  ],
  [
    'streams under another content type',
    'openai-chat',
    'LLM-10',
    (request) => (request.stream ? { fault: { body: 'data: {}\n\n', contentType: 'text/html' } } : goodModel(request)),
  ],
  [
    'finishes twice',
    'openai-chat',
    'LLM-11',
    onStream((pieces) => pieces.flatMap((piece) => (isFinish(piece) ? [piece, piece] : [piece]))),
  ],
  [
    'sends content after the finish',
    'openai-chat',
    'LLM-11',
    onStream((pieces) => pieces.toSpliced(finishIndex(pieces) + 1, 0, textPiece(pieces))),
  ],
  [
    'sends content after the finish',
    'anthropic',
    'LLM-11',
    onStream((pieces) => pieces.toSpliced(finishIndex(pieces) + 1, 0, textPiece(pieces))),
  ],
  ['leaves the last event out', 'openai-chat', 'LLM-12', onStream((pieces) => pieces.slice(0, -1))],
  ['leaves the last event out', 'anthropic', 'LLM-12', onStream((pieces) => pieces.slice(0, -1))],
  ['leaves the last event out', 'openai-responses', 'LLM-12', onStream((pieces) => pieces.slice(0, -1))],
  ['leaves the last event out', 'bedrock', 'LLM-12', onStream((pieces) => pieces.slice(0, -1))],
  [
    'cuts the stream',
    'openai-chat',
    'LLM-12',
    (request) => ({ ...goodModel(request), ...(request.stream ? { fault: { cutAfter: 3 } } : {}) }),
  ],
  [
    'leaves the usage of a stream out',
    'openai-chat',
    'LLM-13',
    onStream((pieces) => pieces.filter((piece) => !isObject(at(dataOf(piece), 'usage')))),
  ],
  [
    'changes the id of the message',
    'openai-chat',
    'LLM-14',
    onStream(withData((data, index) => (index === 3 ? { ...data, id: 'chatcmpl-other' } : data))),
  ],
  [
    'changes the id of the message',
    'openai-responses',
    'LLM-14',
    onStream(
      withData((data) =>
        data['type'] === 'response.completed' && isObject(data['response'])
          ? { ...data, response: { ...data['response'], id: 'resp_other' } }
          : data,
      ),
    ),
  ],
  ['sends the text in one piece', 'openai-chat', 'LLM-15', (request) => ({ ...goodModel(request), chunk: 10_000 })],
  ['calls a tool with broken JSON', 'openai-chat', 'LLM-20', onCall({ arguments: '{"city": ' })],
  ['calls a tool against its schema', 'anthropic', 'LLM-20', onCall({ arguments: { town: 'Paris' } })],
  ['calls a tool that was not offered', 'bedrock', 'LLM-20', onCall({ name: 'other' })],
  ['calls a tool without an id', 'openai-responses', 'LLM-20', onCall({ id: '' })],
  [
    'ends a call with the wrong reason',
    'openai-chat',
    'LLM-21',
    (request) => ({ ...goodModel(request), ...(request.tools.length > 0 ? { finish: 'stop' } : {}) }),
  ],
  [
    'mixes the ids of a call in its pieces',
    'openai-chat',
    'LLM-22',
    onStream(
      withData((data) => {
        const [choice] = (data['choices'] ?? []) as readonly Record<string, unknown>[];
        const [call] = (at(choice, 'delta', 'tool_calls') ?? []) as readonly Record<string, unknown>[];
        if (call === undefined || 'id' in call) return data;
        return { ...data, choices: [{ ...choice, delta: { tool_calls: [{ ...call, id: 'call_other' }] } }] };
      }),
    ),
  ],
  [
    'sends arguments for an index without a call',
    'anthropic',
    'LLM-22',
    onStream(
      withData((data) =>
        at(data, 'delta', 'type') === 'input_json_delta' ? { ...data, index: Number(data['index']) + 1 } : data,
      ),
    ),
  ],
  [
    'refuses the result of its own call',
    'openai-chat',
    'LLM-23',
    (request) => (request.toolResults.length > 0 ? { fault: { status: 500 } } : goodModel(request)),
  ],
  [
    'answers past the schema',
    'openai-chat',
    'LLM-30',
    (request) => (JSON.stringify(request.body).includes('json_schema') ? { text: '{"city":1}' } : goodModel(request)),
  ],
  [
    'gives two calls of an answer one id',
    'openai-chat',
    'LLM-25',
    (request) => {
      const turn = goodModel(request);
      return { ...turn, toolCalls: (turn.toolCalls ?? []).map((call) => ({ ...call, id: 'call_1' })) };
    },
  ],
  [
    'streams two calls under one index',
    'openai-chat',
    'LLM-25',
    onStream(
      withData((data) => {
        const [choice] = (data['choices'] ?? []) as readonly Record<string, unknown>[];
        const calls = (at(choice, 'delta', 'tool_calls') ?? []) as readonly object[];
        if (calls.length === 0) return data;
        return {
          ...data,
          choices: [{ ...choice, delta: { tool_calls: calls.map((call) => ({ ...call, index: 0 })) } }],
        };
      }),
    ),
  ],
  ...(['openai-chat', 'openai-responses', 'anthropic'] as const).map(
    (api) =>
      [
        'calls several tools although it must not',
        api,
        'LLM-26',
        (request: LlmRequest): Turn => {
          const turn = goodModel(request);
          return { ...turn, toolCalls: (turn.toolCalls ?? []).flatMap((call) => [call, { ...call }]) };
        },
      ] as const,
  ),
  [
    'forgets the schema when there are tools',
    'anthropic',
    'LLM-31',
    (request) => (request.toolResults.length > 0 ? { text: 'Paris, in France.' } : goodModel(request)),
  ],
  [
    'refuses tools together with a schema after a result',
    'openai-responses',
    'LLM-31',
    (request) =>
      request.toolResults.length > 0 && JSON.stringify(request.body).includes('json_schema')
        ? { fault: { status: 400 } }
        : goodModel(request),
  ],
  [
    'thinks without a signature',
    'anthropic',
    'LLM-80',
    onWhole((body) => ({
      ...body,
      content: (body['content'] as readonly object[]).map((block) =>
        'signature' in block ? { ...block, signature: '' } : block,
      ),
    })),
  ],
  [
    'counts more thoughts than output',
    'openai-chat',
    'LLM-80',
    (request) => ({ ...goodModel(request), usage: { output: 5, reasoning: 9 } }),
  ],
  [
    'thinks and says nothing',
    'bedrock',
    'LLM-80',
    (request) => {
      const turn = goodModel(request);
      return turn.thinking === undefined ? turn : { thinking: turn.thinking, text: ' ' };
    },
  ],
  ...(['openai-responses', 'anthropic', 'bedrock'] as const).map(
    (api) =>
      [
        'counts tokens in another way than it bills them',
        api,
        'LLM-81',
        (request: LlmRequest): Turn => ({ ...goodModel(request), usage: { input: 500 } }),
      ] as const,
  ),
  [
    'reports errors with status 200',
    'openai-chat',
    'LLM-61',
    (request) =>
      request.tools.length > 0
        ? { fault: { body: '{"error":{"message":"Busy.","type":"server_error"}}' } }
        : goodModel(request),
  ],
];

describe('an endpoint that', () => {
  test.each(MUTANTS)(
    '%s is found: %s %s',
    async (_what, api, id, turn) => {
      const double = new MemoryLlm();
      double.always(turn);
      const report = await examine(double, targetOf(double, api));
      expect(redOf(report)).toContain(id);
    },
    30_000,
  );

  test.each(APIS)('reads no repeated prompt from a cache is found: %s', async (api) => {
    const double = new MemoryLlm();
    double.always((request) => ({ ...goodModel(request), usage: { cachedInput: 0 } }));
    const report = await examine(double, targetOf(double, api, { cacheTokens: 2_000 }));
    expect(redOf(report)).toEqual(['LLM-82']);
  });

  test('has no such model for embeddings is found', async () => {
    const double = new MemoryLlm();
    double.always(goodModel);
    const report = await examine(double, targetOf(double, 'openai-chat', { embeddingModel: 'other' }));
    expect([report.outcome, redOf(report)]).toEqual(['failed', ['LLM-83']]);
  });

  test('returns embeddings out of order is found', async () => {
    const double = new MemoryLlm();
    double.always(goodModel);
    const shuffled: typeof fetch = async (url, init) => {
      const response = await double.fetch(url, init);
      if (!(url instanceof URL) || !url.pathname.endsWith('/embeddings')) return response;
      const body = (await response.json()) as { readonly data: readonly unknown[] };
      return Response.json({ ...body, data: body.data.toReversed() });
    };
    const target = targetOf(double, 'openai-responses', { embeddingModel: 'embedding-double' });
    expect(redOf(await examine(double, target, { fetch: shuffled }))).toEqual(['LLM-83']);
  });

  test('fails after a client gave up is found', async () => {
    const double = new MemoryLlm();
    let abandoned = false;
    double.always((request) => {
      const isLong = JSON.stringify(request.body).includes('three sentences') && !request.stream;
      if (isLong) {
        abandoned = true;
        return { fault: 'hang' };
      }
      const isBusy = abandoned;
      abandoned = false;
      return isBusy ? { fault: { status: 503 } } : goodModel(request);
    });
    const report = await examine(double, targetOf(double, 'openai-chat'));
    expect([report.outcome, redOf(report)]).toEqual(['failed', ['LLM-62']]);
  });

  test('accepts any key and any model is found', async () => {
    const double = new MemoryLlm({
      keys: [DOUBLE_KEY, 'sk-plugboard-wrong-key'],
      models: { 'gpt-double': {}, 'plugboard-no-such-model': {} },
    });
    double.always(goodModel);
    const report = await examine(double, targetOf(double, 'openai-chat'));
    expect([report.outcome, redOf(report)]).toEqual(['failed', ['LLM-40', 'LLM-41']]);
  });

  test('never answers one kind of request is found, and told apart from one that is silent', async () => {
    const double = new MemoryLlm();
    double.always((request) => (request.stream ? { fault: 'hang' } : goodModel(request)));
    const report = await examine(double, targetOf(double, 'openai-chat', { timeoutMs: 300 }));
    expect(report.results.find(({ id }) => id === 'LLM-12')).toMatchObject({
      verdict: 'fail',
      detail: 'No answer within 300 ms.',
    });
    double.always({ fault: 'hang' });
    expect(await examine(double, targetOf(double, 'openai-chat', { timeoutMs: 300 }))).toMatchObject({
      outcome: 'not-examined',
      summary: { rate: null },
    });
  });

  test('limits the rate without saying when to retry is found', async () => {
    const double = new MemoryLlm();
    let plain = 0;
    double.always((request) => {
      if (JSON.stringify(request.body).includes('single word')) plain += 1;
      return plain > 12 ? { fault: { status: 429 } } : goodModel(request);
    });
    const report = await examine(double, targetOf(double, 'openai-chat', { burst: 30 }));
    expect(report.results.find(({ id }) => id === 'LLM-44')).toMatchObject({ verdict: 'warn' });
  });

  test('fails once and then works is not accused', async () => {
    const double = new MemoryLlm();
    let usages = 0;
    double.always((request) => ({ ...goodModel(request), ...((usages += 1) === 3 ? { usage: null } : {}) }));
    const report = await examine(double, targetOf(double, 'openai-chat'));
    expect([report.outcome, redOf(report)]).toEqual(['passed', ['LLM-03']]);
    expect(report.results.find(({ id }) => id === 'LLM-03')?.detail).toContain('passed in the second');
  });

  test('refuses the key is not judged', async () => {
    const double = new MemoryLlm();
    const denied = await examine(double, targetOf(double, 'openai-chat', { key: 'sk-other' }));
    expect(denied).toMatchObject({ outcome: 'not-examined', results: [] });
    expect(denied.reason).toContain('status 401');
    const unknown = await examine(double, targetOf(double, 'openai-chat', { model: 'nope' }));
    expect(unknown.reason).toBe(
      "The endpoint answers a valid request with status 404: The model 'nope' does not exist.",
    );
  });

  test.each([
    ['as it is', DOUBLE_KEY],
    ['in Base64', Buffer.from(DOUBLE_KEY).toString('base64')],
    ['in hexadecimal', Buffer.from(DOUBLE_KEY).toString('hex')],
  ])('echoes the key %s does not get it into the report', async (_how, echo) => {
    const double = new MemoryLlm();
    double.always((request) =>
      request.stream ? { fault: { status: 500, message: `You sent ${echo}.` } } : { text: echo },
    );
    const report = await examine(double, targetOf(double, 'openai-chat'));
    expect(JSON.stringify(report)).toContain('[secret]');
    expect(JSON.stringify(report)).not.toContain(echo);
    double.always({ fault: { status: 400, message: `You sent ${echo}.` } });
    expect(JSON.stringify(await examine(double, targetOf(double, 'openai-chat')))).not.toContain(echo);
  });

  test('is not there is unreachable', async () => {
    const double = new MemoryLlm();
    const nobody = (): Promise<never> =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }));
    expect(await examine(double, targetOf(double, 'openai-chat'), { fetch: nobody })).toMatchObject({
      outcome: 'unreachable',
      summary: { rate: null },
    });
  });

  test('is not examined further after a cancel, and nothing is claimed', async () => {
    const double = new MemoryLlm();
    const cancel = new AbortController();
    double.always((request) => {
      if (request.stream) cancel.abort();
      return goodModel(request);
    });
    const report = await examine(double, targetOf(double, 'openai-chat'), { signal: cancel.signal });
    expect([report.outcome, redOf(report)]).toEqual(['not-examined', []]);
  });

  test('breaks an idle connection is asked again', async () => {
    const double = new MemoryLlm();
    double.always(goodModel);
    let asked = 0;
    const unsteady: typeof fetch = (...request) => {
      asked += 1;
      return asked % 5 === 0 ? Promise.reject(new TypeError('fetch failed')) : double.fetch(...request);
    };
    const report = await examine(double, targetOf(double, 'openai-chat'), { fetch: unsteady });
    expect([report.outcome, redOf(report)]).toEqual(['passed', []]);
  });

  test('refuses some tools of a server names them', async () => {
    const double = new MemoryLlm({
      judge: (_api, tools) =>
        tools.flatMap(({ name }) => (name.startsWith('bad') ? [{ tool: name, message: 'is not allowed here' }] : [])),
    });
    double.always(goodModel);
    const names = ['good-1', 'bad-1', 'good-2', 'good-3', 'bad-2'];
    const tools = adaptedTools(
      names.map((name) => ({ name, inputSchema: { type: 'object' } })),
      'openai-chat',
    );
    const report = await examine(double, targetOf(double, 'openai-chat'), { tools });
    expect(redOf(report)).toEqual(['LLM-70:bad-1', 'LLM-70:bad-2']);
  });
});
