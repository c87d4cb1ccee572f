import { PassThrough } from 'node:stream';
import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { FakeProcessOptions } from '../../test-support/fake-process.js';
import { runFake } from '../../test-support/run-fake.js';

const ID = 'chatcmpl-1';
const DECISION = `/v1/chat/completions/${ID}/decision`;

const chunk = (more: object, delta: object = {}): object => ({
  id: ID,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
});

const event = (plugboard: object): object => chunk({ plugboard });
const run = { end: 'finished', text: 'Erased.', finish: { kind: 'stop', raw: 'stop' }, turns: 2, toolCalls: 1 };
const call = { type: 'tool-call', id: 'a', name: 'erase', server: 'files', arguments: '{"path":"x"}' };
const approval = { type: 'approval', id: 'a', name: 'erase' };
const result = {
  type: 'tool-result',
  id: 'a',
  name: 'erase',
  kind: 'result',
  text: 'ok',
  isError: false,
  durationMs: 1,
};
const done = event({ type: 'done', run });

const ERASING = [
  event({ type: 'turn', turn: 1, model: 'gpt-double' }),
  chunk({}, { reasoning_content: 'Hm.' }),
  chunk({}, { content: 'Wait. ' }),
  event(call),
  event(approval),
  event(result),
  chunk({}, { content: 'Erased.' }),
  done,
];

const streamOf = (chunks: readonly object[]): Response =>
  new Response(chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + 'data: [DONE]\n\n', {
    headers: { 'content-type': 'text/event-stream' },
  });

/** `plugboard chat --agent` against a hub in memory that streams these chunks, an answer each time. */
const chatWith = (
  answers: readonly (readonly object[])[],
  argv: readonly string[],
  options: FakeProcessOptions = {},
  decide: () => unknown = () => undefined,
) => {
  const left = [...answers];
  return runFake(
    ['chat', '--agent', 'researcher', ...argv],
    { answers: { '/v1/chat/completions': () => streamOf(left.shift() ?? [done]), [DECISION]: decide } },
    { ...(options.typed === undefined ? { stdin: '' } : {}), ...options },
  );
};

type Run = Awaited<ReturnType<typeof chatWith>>;

const bodiesOf = ({ hub }: Run, path: string): readonly unknown[] =>
  hub.seen.filter((seen) => seen.path === path).map(({ body }) => body);

describe('plugboard chat --agent', () => {
  it('streams the answer of an agent of the hub, with its tools; --yes allows their calls', async () => {
    const chat = await chatWith([ERASING], ['--yes', '--thinking', '--instructions', 'Be brief.', 'Erase', 'it.']);
    expect([chat.code, chat.stdout]).toEqual([0, 'Wait. \nErased.\n']);
    expect(chat.stderr).toContain('the agent researcher.');
    expect(chat.stderr).toContain('→ files/erase {"path":"x"}');
    expect(chat.stderr).toContain('✓ erase ok');
    expect(bodiesOf(chat, '/v1/chat/completions')).toEqual([
      {
        model: 'researcher',
        stream: true,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Erase it.' },
        ],
        reasoning_effort: 'medium',
        plugboard: { events: true, approvals: true },
      },
    ]);
    expect(bodiesOf(chat, DECISION)).toEqual([{ call_id: 'a', approve: true }]);
  });

  it('allows nothing when nobody is there, and prints JSON', async () => {
    const chat = await chatWith([ERASING], ['--json', '--toolset', 'reading', 'Erase it.']);
    expect(bodiesOf(chat, DECISION)).toEqual([{ call_id: 'a', approve: false }]);
    expect(JSON.stringify(bodiesOf(chat, '/v1/chat/completions'))).toContain('"toolset":"reading"');
    expect(chat.json()).toMatchObject({
      end: 'finished',
      messages: [
        { role: 'user', content: [{ text: 'Erase it.' }] },
        { role: 'assistant', content: [{ text: 'Wait. Erased.' }] },
      ],
    });
  });

  it('asks at a terminal, goes on after a failure, and sends the conversation', async () => {
    const failure = [{ error: { message: 'The provider openai is overloaded.', code: 'MODEL_UNAVAILABLE' } }];
    const typed = new PassThrough();
    const asked = new PassThrough();
    asked.on('data', (data) => {
      if (String(data).includes('Call files/erase with {"path":"x"}?')) typed.end('y\nHello?\nAnd now?\n');
    });
    typed.write('Erase it.\n');
    const chat = await chatWith([ERASING, failure], [], { typed, asked, columns: 80 });
    expect(chat.code).toBe(0);
    expect(bodiesOf(chat, DECISION)).toEqual([{ call_id: 'a', approve: true }]);
    expect(chat.stderr).toContain('The provider openai is overloaded.');
    const sent = bodiesOf(chat, '/v1/chat/completions') as readonly { messages: readonly { content: string }[] }[];
    expect(sent.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
      ['Erase it.'],
      ['Erase it.', 'Wait. Erased.', 'Hello?'],
      ['Erase it.', 'Wait. Erased.', 'And now?'],
    ]);
  });

  it('goes on when a call no longer waits for the decision', async () => {
    const gone = () => {
      throw new PlugboardError('NOT_FOUND', 'No call of this answer waits for a decision.');
    };
    expect((await chatWith([ERASING], ['--yes', 'Erase it.'], {}, gone)).code).toBe(0);
    const broken = () => {
      throw new PlugboardError('PERMISSION_DENIED', 'Not you.');
    };
    expect((await chatWith([ERASING], ['--yes', 'Erase it.'], {}, broken)).stderr).toContain('Not you.');
  });

  it.each([
    [['--toolset', 'a', '--toolset', 'b', 'Hi'], 'Give --toolset once'],
    [['--model', 'openai:gpt-double', 'Hi'], 'cannot be used with'],
    [['--record', 'x.jsonl', 'Hi'], 'cannot be used with'],
  ])('%j', async (argv, message) => {
    const { code, stderr } = await chatWith([], argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('names what is missing when nobody is named', async () => {
    const { code, stderr } = await runFake(['chat', 'Hi'], {}, { stdin: '' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Give --model provider:model, or --agent')]);
  });
});
