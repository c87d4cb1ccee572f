import { PassThrough } from 'node:stream';
import { type AgentTool, toolsFromCalls } from '@plugboard/agent';
import { describe, expect, it } from 'vitest';
import { styleFor } from '../../terminal/style.js';
import { Approvals } from './approvals.js';
import { ChatScreen } from './chat-screen.js';
import { LineReader } from './line-reader.js';

const { signal } = new AbortController();

describe('the screen', () => {
  const screenOf = (isTTY: boolean) => {
    const shown: string[] = [];
    const screen = new ChatScreen({
      write: (text) => void shown.push(text),
      remark: (text) => void shown.push(`[${text}]`),
      style: styleFor(false),
      isTTY,
    });
    return { shown, screen };
  };

  it('streams text, and shows each call as a card on lines of its own', () => {
    const { shown, screen } = screenOf(false);
    screen.show({ type: 'turn', turn: 1, model: 'm' });
    screen.show({ type: 'thinking', text: 'a' });
    screen.show({ type: 'thinking', text: 'b' });
    screen.show({ type: 'text', text: 'Let me see.' });
    screen.show({ type: 'tool-call', id: 'x', name: 'add', server: 'sum', arguments: '{"a":1}' });
    screen.show({
      type: 'tool-result',
      id: 'x',
      name: 'add',
      kind: 'result',
      text: 'line\nline',
      isError: false,
      durationMs: 1,
    });
    screen.show({
      type: 'tool-result',
      id: 'y',
      name: 'fly',
      kind: 'unknown-tool',
      text: 'x'.repeat(500),
      isError: true,
      durationMs: 0,
    });
    screen.show({ type: 'text', text: 'Done.\n' });
    screen.end();
    expect(shown).toEqual([
      '[… thinking]',
      'Let me see.',
      '\n',
      '[→ sum/add {"a":1}]',
      '[✓ add line line]',
      `[✗ fly ${'x'.repeat(200)}…]`,
      'Done.\n',
    ]);
  });

  it('names the pictures and sounds of a result', () => {
    const { shown, screen } = screenOf(false);
    const media = [
      { kind: 'image', data: 'aGk=', mimeType: 'image/png' },
      { kind: 'audio', data: 'aGk=', mimeType: 'audio/\u001Bwav' },
    ] as const;
    screen.show({
      type: 'tool-result',
      id: 'x',
      name: 'draw',
      kind: 'result',
      text: '',
      isError: false,
      durationMs: 1,
      media,
    });
    expect(shown.join('')).toMatch(/^\[✓ draw \[image\/png\] \[audio\/.*wav\]\]$/u);
    expect(shown.join('')).not.toContain('\u001B');
  });

  it('writes nothing into the line of an open question', async () => {
    const { shown, screen } = screenOf(true);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const asking = screen.during(() => answered);
    screen.show({ type: 'tool-call', id: 'x', name: 'add', server: 'sum', arguments: '{}' });
    screen.show({ type: 'text', text: 'Well.' });
    expect(shown).toEqual([]);
    answer();
    await asking;
    expect(shown).toEqual(['[→ sum/add {}]', 'Well.']);
  });

  it('keeps control sequences of the model and of servers from the terminal', () => {
    const { shown, screen } = screenOf(true);
    screen.show({ type: 'text', text: 'a\u001B[2Jb' });
    screen.show({
      type: 'tool-call',
      id: 'x',
      name: 'add\u001B]0;x\u0007',
      server: undefined,
      arguments: '\u001B[31m',
    });
    expect(shown.join('')).not.toContain('\u001B');
  });
});

describe('approvals', () => {
  const tools = toolsFromCalls(
    ['erase', 'write'].map((name) => ({
      server: 'files',
      definition: { name, inputSchema: { type: 'object', properties: {} } },
      call: () => Promise.resolve({ content: [] }),
    })),
  ).tools;
  const [erase, write] = tools as readonly [AgentTool, AgentTool];

  it('ask one question at a time, and remember "always"', async () => {
    const prompts: string[] = [];
    const answers = ['y', 'n', 'always', undefined];
    let open = 0;
    const { approve } = new Approvals(async (prompt) => {
      expect((open += 1)).toBe(1);
      prompts.push(prompt);
      await Promise.resolve();
      open -= 1;
      return answers.shift();
    });
    expect(await Promise.all([approve(erase, { path: '/' }), approve(erase, {}), approve(write, {})])).toEqual([
      true,
      false,
      true,
    ]);
    expect(await approve(write, {})).toBe(true);
    expect(await approve(erase, {})).toBe(false);
    expect(prompts[0]).toBe('Call files/erase with {"path":"/"}? [y]es, [n]o, [a]lways: ');
    expect(prompts).toHaveLength(4);
  });

  it.each([
    ['y', true],
    [' YES ', true],
    ['a', true],
    ['Always', true],
    ['n', false],
    ['no', false],
    ['', false],
    ['all backups are old', false],
    ['yesterday', false],
    ['always ask', false],
  ])('take %j for %j', async (word, allowed) => {
    const { approve } = new Approvals(() => Promise.resolve(word));
    expect(await approve(erase, {})).toBe(allowed);
  });
});

describe('lines', () => {
  it('come one at a time, until there are no more', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    using reader = new LineReader(input, output, false);
    input.write('one\ntwo\n');
    expect(await reader.ask('› ', signal)).toBe('one');
    expect(await reader.ask('› ', signal)).toBe('two');
    const last = reader.ask('› ', signal);
    input.end();
    expect(await last).toBeUndefined();
    expect(String(output.read())).toContain('› ');
  });

  it.each([true, false])('that were pasted before a question do not answer it (terminal: %j)', async (isTTY) => {
    const input = new PassThrough();
    const output = new PassThrough();
    let shown = '';
    output.on('data', (chunk) => void (shown += String(chunk)));
    using reader = new LineReader(input, output, isTTY);
    input.write(`Summarise this:\ny\nalways\n${isTTY ? 'ye' : ''}`);
    expect(await reader.ask('› ', signal)).toBe('Summarise this:');
    let answered: string | undefined;
    const asked = reader.askAnew('Erase? ', signal).then((line) => (answered = line));
    // More of the paste, while the question is being asked.
    setTimeout(() => input.write(`s\ny\n${isTTY ? 'y' : ''}`), 10);
    await expect.poll(() => shown).toContain('Erase? ');
    expect(answered).toBeUndefined();
    input.write('no\n');
    expect(await asked).toBe('no');
  });

  it('end with an interruption', async () => {
    const controller = new AbortController();
    using reader = new LineReader(new PassThrough(), new PassThrough(), false);
    const asked = reader.ask('› ', controller.signal);
    controller.abort();
    expect(await asked).toBeUndefined();
  });
});
