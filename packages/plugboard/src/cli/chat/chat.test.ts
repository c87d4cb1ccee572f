import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { DOUBLE_KEY, MemoryLlm } from '@plugboard/testing/llm';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FakeProcessOptions } from '../../test-support/fake-process.js';
import { runFake } from '../../test-support/run-fake.js';

afterEach(() => void vi.unstubAllGlobals());

const tool = { name: 'erase', inputSchema: { type: 'object', properties: {} } };
const answers = {
  '/servers': { files: {} },
  '/servers/files/tools': [tool],
  '/servers/files/tools/erase': { content: [{ type: 'text', text: 'erased' }] },
  '/toolsets/reading/tools': [],
};

/** The server asks what it was told to ask, and then repeats the answers. */
const askingServer =
  (inputRequests?: Readonly<Record<string, unknown>>) =>
  (_server: string, _method: string, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const { inputResponses } = params;
    if (inputRequests === undefined) return { content: [{ type: 'text', text: 'erased' }] };
    if (inputResponses === undefined) return { resultType: 'input_required', inputRequests, requestState: 'state' };
    return { content: [{ type: 'text', text: JSON.stringify([params['requestState'], inputResponses]) }] };
  };

/** `plugboard chat` in memory: the hub, the terminal and the provider. */
const openRig = (rpc = askingServer()) => {
  const double = new MemoryLlm();
  vi.stubGlobal('fetch', double.fetch);
  const chat = (argv: readonly string[], options: FakeProcessOptions = {}) =>
    runFake(
      ['chat', '--model', 'openai:gpt-double', '--base-url', double.openaiUrl, ...argv],
      { answers, rpc },
      { ...(options.typed === undefined ? { stdin: '' } : {}), ...options, env: { OPENAI_API_KEY: DOUBLE_KEY } },
    );
  return { double, chat };
};

const erase = { text: 'Wait.', toolCalls: [{ name: 'erase', arguments: {} }] };

describe('plugboard chat', () => {
  it('answers one question', async () => {
    const { double, chat } = openRig();
    double.next(erase, { text: 'Done.' });
    const { code, stdout, stderr, hub } = await chat(['--yes', '--thinking', 'Erase', 'it.']);
    expect([code, stdout]).toEqual([0, 'Wait.\nDone.\n']);
    expect(stderr).toContain('→ files/erase {}');
    expect(hub.seen.map(({ method, path }) => `${method} ${path}`)).toContain('POST /servers/files/tools/erase');
  });

  it('lets another model answer when the first one fails', async () => {
    const { double, chat } = openRig();
    // The limit of an hour, so that no attempt waits.
    const busy = { fault: { status: 429, headers: { 'retry-after': '3600' } } };
    double.always(({ model }) => (model === 'o-double' ? { text: 'Hello.' } : busy));
    const { code, stdout } = await chat(['--fallback', 'o-double', 'Hi']);
    expect([code, stdout]).toEqual([0, 'Hello.\n']);
  });

  it('asks nobody when nobody is there', async () => {
    const { double, chat } = openRig();
    double.next(erase, { text: 'I could not.' });
    const { stderr, hub } = await chat(['Erase it.']);
    expect(stderr).toContain('did not allow');
    expect(hub.seen.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('holds a conversation at a terminal', async () => {
    const { double, chat } = openRig();
    double.next(erase, { text: 'Erased.' }, { text: 'Yes.' });
    const typed = new PassThrough();
    const asked = new PassThrough();
    asked.on('data', (chunk) => {
      if (String(chunk).includes('[a]lways')) typed.end('y\n\nReally?\nquit\n');
    });
    typed.write('Erase it.\n');
    const { code, stdout } = await chat([], { typed, asked, columns: 80 });
    expect([code, stdout]).toEqual([0, 'Wait.\nErased.\nYes.\n']);
    expect(JSON.stringify(double.requests[2]?.body)).toContain('Really?');
  });

  it('goes on after a failure of the provider', async () => {
    const { double, chat } = openRig();
    double.next({ fault: { status: 401, message: 'Who are you?' } }, { text: 'Hello.' });
    const typed = new PassThrough();
    typed.end('One.\nTwo.\n');
    const { code, stdout, stderr } = await chat([], { typed, columns: 80 });
    expect([code, stdout]).toEqual([0, 'Hello.\n']);
    expect(stderr).toContain('Who are you?');
    expect(JSON.stringify(double.requests.at(-1)?.body)).not.toContain('One.');
  });

  it('Ctrl-C ends an answer or a question, and the conversation goes on', async () => {
    const { double, chat } = openRig();
    double.next({ text: 'Much to say. '.repeat(5000), fault: { everyMs: 20 } }, erase, { text: 'Hello.' });
    const typed = new PassThrough();
    const asked = new PassThrough();
    asked.on('data', (chunk) => {
      if (String(chunk).includes('[a]lways')) typed.write('\u0003Well?\n/exit\n');
    });
    typed.write('Talk.\n');
    const done = chat([], { typed, asked, columns: 80 });
    await expect.poll(() => double.arrivals.length).toBe(1);
    typed.write('\u0003Erase it.\n');
    const { code, stdout, stderr, hub } = await done;
    expect(code).toBe(0);
    expect(stdout).toContain('Hello.');
    expect(stderr.match(/Interrupted/gu)).toHaveLength(2);
    expect(hub.seen.some(({ method }) => method === 'POST')).toBe(false);
    expect(double.requests).toHaveLength(3);
  });

  it('says that nobody can allow a call without a terminal', async () => {
    const { double, chat } = openRig();
    double.next(erase, { text: 'I could not.' });
    expect((await chat(['Erase it.'])).stderr).toContain('--yes');
  });

  /** A conversation in which questions that contain a text get these lines. */
  const answering = (replies: readonly (readonly [string, string])[]) => {
    const typed = new PassThrough();
    const asked = new PassThrough();
    const left = [...replies];
    asked.on('data', (chunk) => {
      const at = left.findIndex(([question]) => String(chunk).includes(question));
      if (at === -1) return;
      const [[, reply] = ['', '']] = left.splice(at, 1);
      // A line that is there before its question was shown would not count.
      setImmediate(() => typed.write(`${reply}\n${left.length === 0 ? '/exit\n' : ''}`));
    });
    typed.write('Erase it.\n');
    return { typed, asked, columns: 80 };
  };

  const sampling = {
    q: {
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: 'Which title?' } }], maxTokens: 9 },
    },
  };

  it('lets the model answer a server, if the user allows it', async () => {
    const { double, chat } = openRig(askingServer(sampling));
    double.next(erase, { text: 'A title' }, ({ toolResults }) => ({ text: toolResults.join() }));
    const { stdout, stderr, hub } = await chat(['--yes'], answering([['Let the model answer files?', 'y']]));
    expect(stderr).toContain('files asks the model: Which title?');
    expect(stdout).toContain('"state"');
    expect(stdout).toContain('A title');
    const first = hub.seen.find(({ path }) => path === '/servers/files/mcp');
    expect(JSON.stringify(first?.body)).toContain('"sampling":{}');
    expect(double.requests[1]?.tools).toEqual([]);
  });

  it('does not let it answer when the user says no', async () => {
    const { double, chat } = openRig(askingServer(sampling));
    double.next(erase, ({ toolResults }) => ({ text: toolResults.join() }));
    const { stdout } = await chat(['--yes'], answering([['Let the model answer files?', 'n']]));
    expect(stdout).toContain('did not allow the server to ask the model');
    expect(double.requests).toHaveLength(2);
  });

  it('asks the user for the fields of a form', async () => {
    const requestedSchema = {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 }, metric: { type: 'boolean' } },
      required: ['city'],
    };
    const form = { q: { method: 'elicitation/create', params: { message: 'Where?', requestedSchema } } };
    const { double, chat } = openRig(askingServer(form));
    double.next(erase, ({ toolResults }) => ({ text: toolResults.join() }));
    const replies = [
      ['Answer files?', 'y'],
      ['city', 'Oslo'],
      ['days', ''],
      ['metric', 'no'],
    ] as const;
    const { stdout, stderr } = await chat(['--yes'], answering(replies));
    expect(stderr).toContain('files asks: Where?');
    expect(stdout).toContain('{"action":"accept","content":{"city":"Oslo","days":3,"metric":false}}');
  });

  it('tells servers nothing of a model when nobody can consent', async () => {
    const { double, chat } = openRig();
    double.next(erase, { text: 'Done.' });
    const { hub } = await chat(['--yes', 'Erase it.']);
    expect(hub.seen.map(({ path }) => path)).not.toContain('/servers/files/mcp');
  });

  it('records the answers of the model', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'plugboard-chat-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    const { double, chat } = openRig();
    double.next({ text: 'Hello.' });
    const { stderr } = await chat(['--record', 'chat.jsonl', 'Hi'], { cwd });
    expect(stderr).toContain('Wrote 1 answers to chat.jsonl');
    expect(await readFile(join(cwd, 'chat.jsonl'), 'utf8')).toMatch(/model-recording[^]*Hello\./u);
  });

  it('does not take pasted lines for an approval', async () => {
    const { double, chat } = openRig();
    double.next(erase, { text: 'I could not.' });
    const typed = new PassThrough();
    typed.end('Summarise this:\nall backups are old\ny\n');
    const { hub } = await chat([], { typed, columns: 80 });
    expect(hub.seen.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('reads standard input, uses a toolset, and prints JSON', async () => {
    const { double, chat } = openRig();
    double.next({ text: 'Hello.' });
    const { json, hub } = await chat(['--json', '--toolset', 'reading'], { stdin: 'Hi\n' });
    expect(json()).toMatchObject({ end: 'finished', text: 'Hello.' });
    expect(hub.seen.map(({ path }) => path)).toEqual(['/toolsets/reading/tools']);
  });

  it.each([
    [[], 2, 'Nothing was asked.'],
    [['--model', 'gpt', 'Hi'], 2, 'is not a provider and a model'],
    [['--base-url', 'here', 'Hi'], 2, 'is not a URL'],
    [['--max-turns', '0', 'Hi'], 2, 'whole number above 0'],
  ])('%j', async (argv, exit, text) => {
    const { code, stderr } = await openRig().chat(argv);
    expect(stderr).toContain(text);
    expect(code).toBe(exit);
  });

  it('says when a limit is reached', async () => {
    const { double, chat } = openRig();
    double.always(erase);
    const { code, stderr } = await chat(['--yes', '--max-turns', '1', 'Go.']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The limit of turns is reached.')]);
  });
});
