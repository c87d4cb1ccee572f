import { PassThrough } from 'node:stream';
import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const server = aServer({ server_name: 'sum', config: { mcp_server_type: 'stdio', command: 'x', args: [] } });
const schema = {
  type: 'object',
  properties: {
    a: { type: 'number' },
    whole: { type: 'integer' },
    flag: { type: 'boolean' },
    text: { type: 'string' },
    maybe: { type: ['integer', 'null'] },
    list: { type: 'array', items: { type: 'integer' } },
    words: { type: 'array', items: { type: 'string' } },
    map: { type: 'object' },
    level: { $ref: '#/$defs/level' },
    either: { anyOf: [{ type: 'boolean' }, { type: 'integer' }] },
    free: {},
  },
  $defs: { level: { enum: [1, 2] } },
  additionalProperties: false,
};
const tools = {
  sum: [
    { name: 'add', schema },
    { name: 'strict', schema: { ...schema, required: ['a'] } },
  ],
};
const text = (value: string, more: object = {}) => ({ content: [{ type: 'text', text: value }], ...more });

const options = (result: unknown = text('3')) => ({ servers: [server], tools, rpc: () => result });

const sent = async (...argv: readonly string[]): Promise<unknown> => {
  const { code, hub, stderr } = await runFake(['call', 'sum', 'add', ...argv], options());
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const body = hub.seen.at(-1)?.body as { params: { arguments: unknown } } | undefined;
  return body?.params.arguments;
};

describe('call', () => {
  it('sends tools/call to the server and prints its text', async () => {
    const { code, stdout, hub } = await runFake(['call', 'sum', 'add', '--arg', 'a=1'], options());
    expect(code).toBe(0);
    expect(stdout).toBe('3\n');
    expect(hub.seen.at(-1)).toEqual({
      method: 'POST',
      path: '/servers/sum/mcp',
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } },
    });
  });

  it.each([
    [['--arg', 'a=1.5'], { a: 1.5 }],
    [['--arg', 'whole=-2'], { whole: -2 }],
    [['--arg', 'flag=TRUE'], { flag: true }],
    [['--arg', 'text=1'], { text: '1' }],
    [['--arg', 'text=a=b'], { text: 'a=b' }],
    [['--arg', 'maybe=null'], { maybe: null }],
    [['--arg', 'list=[1,2]'], { list: [1, 2] }],
    [['--arg', 'list=1', '--arg', 'list=2'], { list: [1, 2] }],
    [['--arg', 'words=a', '-a', 'words=b'], { words: ['a', 'b'] }],
    [['--arg', 'map={"k":1}'], { map: { k: 1 } }],
    [['--arg', 'level=2'], { level: 2 }],
    [['--arg', 'either=7'], { either: 7 }],
    [['--arg', 'free=7'], { free: '7' }],
    [['--arg', 'free:=7'], { free: 7 }],
    [['--json-args', '{"a":1,"text":"x"}', '--arg', 'a=2'], { a: 2, text: 'x' }],
    [[], {}],
  ])('reads %j as %j', async (argv, args) => {
    expect(await sent(...argv)).toEqual(args);
  });

  it('reads arguments from a pipe, and with --json-args - waits for them', async () => {
    for (const argv of [[], ['--json-args', '-']]) {
      const { hub } = await runFake(['call', 'sum', 'add', ...argv], options(), { stdin: '{"a": 5}\n' });
      expect(hub.seen.at(-1)?.body).toMatchObject({ params: { arguments: { a: 5 } } });
    }
  });

  it('does not wait for ever for a pipe that nobody writes to', async () => {
    const { code, stderr } = await runFake(['call', 'sum', 'add'], options(), { stdin: new PassThrough() });
    expect(code).toBe(0);
    expect(stderr).toContain('Standard input is empty');
  });

  it.each([
    [['--arg', 'a=x'], '"a" must be a number, but "x" is not.'],
    [['--arg', 'whole=1.5'], '"whole" must be an integer, but "1.5" is not.'],
    [['--arg', 'list=[x'], '"list" must be an array'],
    [['--arg', 'a'], '--arg needs NAME=VALUE, but got "a".'],
    [['--arg', 'free:={'], 'The value of "free" is not JSON.'],
    [['--json-args', '{'], 'The arguments of --json-args are not JSON.'],
    [['--json-args', '[1]'], 'The arguments of --json-args are not a JSON object.'],
    [['--json-args', '{"a":"x"}'], '- a: Must be number'],
    [['--arg', 'txt=1'], '"txt" is not known here. Did you mean "text"?'],
  ])('refuses %j before anything is sent', async (argv, message) => {
    const { code, stderr, hub } = await runFake(['call', 'sum', 'add', ...argv], options());
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(hub.seen.some(({ path }) => path.endsWith('/mcp'))).toBe(false);
  });

  it('names the argument that is missing, and sends it all the same with --no-validate', async () => {
    const refused = await runFake(['call', 'sum', 'strict'], options());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('"a" is required.');
    expect(refused.stderr).toContain('plugboard tools sum strict');
    expect((await runFake(['call', 'sum', 'strict', '--no-validate'], options())).code).toBe(0);
  });

  it('remarks on a name that the tool does not declare, although its schema allows it', async () => {
    const open = {
      servers: [server],
      tools: { sum: [{ name: 'add', schema: { type: 'object', properties: { first: {} } } }] },
      rpc: () => text('3'),
    };
    const { code, stderr } = await runFake(['call', 'sum', 'add', '-a', 'frist=1'], open);
    expect(code).toBe(0);
    expect(stderr).toBe('add declares no "frist". Did you mean "first"?\n');
    expect((await runFake(['call', 'sum', 'add', '-a', 'other=1'], open)).stderr).toContain('It has first.');
    expect((await runFake(['call', 'sum', 'add', '-q', '-a', 'other=1'], open)).stderr).toBe('');
  });

  it('exits with 1 and writes to stderr when the tool reports an error', async () => {
    const { code, stdout, stderr } = await runFake(
      ['call', 'sum', 'add'],
      options(text('no such thing', { isError: true })),
    );
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('add reported: no such thing');
  });

  it('summarises content that is not text', async () => {
    const content = [
      { type: 'image', mimeType: 'image/png', data: Buffer.alloc(2048).toString('base64') },
      { type: 'resource_link', uri: 'file:///a', name: 'A' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c', mimeType: 'x/y', blob: 'AAAA' } },
      { type: 'hologram' },
    ];
    const { stdout } = await runFake(['call', 'sum', 'add'], options({ content }));
    expect(stdout).toBe(
      '[image image/png, 2.0 KB]\n[link to file:///a: A]\ninside\n[resource file:///c x/y, 3 bytes]\n[hologram content]\n',
    );
  });

  it('shows structured content when there is nothing else, and says when there is nothing at all', async () => {
    expect((await runFake(['call', 'sum', 'add'], options({ content: [], structuredContent: { x: 1 } }))).stdout).toBe(
      '{\n  "x": 1\n}\n',
    );
    expect((await runFake(['call', 'sum', 'add'], options({ content: [] }))).stderr).toContain('without content');
  });

  it('prints the whole result with --json, members that it does not know included', async () => {
    const result = text('3', { _meta: { vendor: 1 }, structuredContent: { x: 1 } });
    expect((await runFake(['call', 'sum', 'add', '--json'], options(result))).json()).toEqual(result);
  });

  it('keeps control characters from a terminal, and hands them on to a pipe', async () => {
    const bell = options(text('a\u0007b'));
    expect((await runFake(['call', 'sum', 'add'], bell, { columns: 80 })).stdout).toBe('a\\u{0007}b\n');
    expect((await runFake(['call', 'sum', 'add'], bell)).stdout).toBe('a\u0007b\n');
  });

  it('finds the tool by the name that models see, and suggests the nearest otherwise', async () => {
    expect((await runFake(['call', 'sum', 'sum__add'], options())).code).toBe(0);
    const { code, stderr } = await runFake(['call', 'sum', 'ad'], options());
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "add"?');
  });

  it('takes the exit code from the error of the server', async () => {
    const rpc = (): never => {
      throw new PlugboardError('UPSTREAM_TIMEOUT', 'It took too long.', { hint: 'Wait.' });
    };
    const { code, stderr } = await runFake(['call', 'sum', 'add'], { servers: [server], tools, rpc });
    expect(code).toBe(4);
    expect(stderr).toBe('error    It took too long. (UPSTREAM_TIMEOUT)\ntry      Wait.\n');
  });

  it('refuses an answer that is not the result of a tool', async () => {
    expect((await runFake(['call', 'sum', 'add'], options({ content: 'x' }))).code).toBe(1);
  });

  it('refuses a timeout that is not a number', async () => {
    const { code, stderr } = await runFake(['call', 'sum', 'add', '--timeout', 'soon'], options());
    expect(code).toBe(2);
    expect(stderr).toContain('It must be a number of seconds');
  });
});
