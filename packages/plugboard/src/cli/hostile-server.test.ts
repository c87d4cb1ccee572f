import { describe, expect, it } from 'vitest';
import { runFake } from '../test-support/run-fake.js';
import { aServer } from '../test-support/shapes.js';
import { STYLE_SEQUENCES } from '../terminal/style.js';

const ESC = '\u001B';
const EVIL = `${ESC}[2J${ESC}]0;title\u0007 \u009B31mC1 \u202Eevil`;
const COMMAND = 'x;id>pwned;#';
const server = aServer({ server_name: 'evil', config: { mcp_server_type: 'stdio', command: 'x', args: [] } });
const schema = {
  type: 'object',
  properties: { [EVIL]: { type: 'string', description: EVIL }, [COMMAND]: { type: 'string' }, '`id`': {} },
  required: [EVIL, COMMAND, '`id`'],
};
const result = { content: [{ type: 'text', text: EVIL }], structuredContent: { [EVIL]: EVIL } };
const answers: Readonly<Record<string, unknown>> = {
  'tools/call': result,
  'prompts/list': { prompts: [{ name: 'ask', description: EVIL, arguments: [{ name: COMMAND, required: true }] }] },
  'prompts/get': { messages: [{ role: EVIL, content: { type: 'text', text: EVIL } }] },
  'resources/list': { resources: [{ uri: `file:///${EVIL}`, name: EVIL, mimeType: EVIL, description: EVIL }] },
  'resources/templates/list': { resourceTemplates: [] },
  'resources/read': { contents: [{ uri: 'file:///a', text: EVIL }] },
};
const options = (more: object = {}) => ({
  servers: [server],
  tools: { evil: [{ name: EVIL, description: EVIL, schema }, { name: 'plain' }] },
  rpc: (_server: string, method: string) => ({ ...answers, ...more })[method],
});
const ACTS_ON_TERMINAL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u;

const shown = async (argv: readonly string[], more?: object): Promise<string> => {
  const { stdout, stderr } = await runFake(argv, options(more), { columns: 120, env: { FORCE_COLOR: '1' } });
  return (stdout + stderr).replaceAll(STYLE_SEQUENCES, '');
};

describe('a server whose names and texts hold control sequences', () => {
  it.each([
    [['tools']],
    [['tools', 'evil']],
    [['tools', 'evil', EVIL]],
    [['tools', 'evil', EVIL, '--json']],
    [['show', 'evil']],
    [['call', 'evil', 'plain']],
    [['call', 'evil', 'plain', '--json']],
    [['call', 'evil', 'missing']],
    [['read', 'evil']],
    [['read', 'evil', 'file:///a']],
    [['prompt', 'evil']],
    [['prompt', 'evil', 'ask']],
    [['prompt', 'evil', 'ask', '--arg', `${COMMAND}=1`]],
  ])('cannot act on the terminal of %j', async (argv) => {
    const text = await shown(argv);
    expect(text).not.toBe('');
    expect(text).not.toMatch(ACTS_ON_TERMINAL);
  });

  it('cannot act on the terminal by what a tool reports as its error, nor by structured content', async () => {
    expect(await shown(['call', 'evil', 'plain'], { 'tools/call': { ...result, isError: true } })).not.toMatch(
      ACTS_ON_TERMINAL,
    );
    expect(await shown(['call', 'evil', 'plain'], { 'tools/call': { structuredContent: { a: EVIL } } })).not.toMatch(
      ACTS_ON_TERMINAL,
    );
  });

  it('cannot put a command of its own into the line to paste', async () => {
    expect(await shown(['tools', 'evil', EVIL])).toContain(`--arg '${COMMAND}=…'`);
    expect(await shown(['prompt', 'evil', 'ask'])).toContain(`--arg '${COMMAND}=…'`);
  });

  it('cannot put an option into the line to paste', async () => {
    const option = '--hub=http://evil.example';
    const tools = { evil: [{ name: option, schema: { type: 'object', properties: { a: {} }, required: ['a'] } }] };
    const { stdout } = await runFake(['tools', 'evil', '--', option], { servers: [server], tools }, { columns: 200 });
    expect(stdout).toContain(`plugboard call --arg a=… -- evil ${option}`);
    const offered = await runFake(['complete', '--', 'call', 'evil', ''], { servers: [server], tools });
    expect(offered.stdout).not.toContain('evil.example');
  });

  it.each([
    ['a mark of direction', '\u061C'],
    ['a variation selector that says something', '\u{E0101}'],
    ['a filler of Hangul', '\u3164'],
    ['a soft hyphen', '\u00AD'],
    ['an annotation', '\uFFF9'],
    ['an empty pattern of Braille', '\u2800'],
  ])('shows %s', async (_what, hidden) => {
    const tools = { evil: [{ name: `read${hidden}`, description: `do${hidden}it` }] };
    const { stdout } = await runFake(['tools', 'evil'], { servers: [server], tools }, { columns: 120 });
    expect(stdout).not.toContain(hidden);
    expect(stdout).toContain('\\u{');
    const { stdout: json } = await runFake(['tools', 'evil', '--json'], { servers: [server], tools });
    expect(json.includes(hidden)).toBe(hidden === '\u2800');
  });

  it('may use emoji', async () => {
    const tools = { evil: [{ name: 'love', description: 'sends ❤️' }] };
    const { stdout } = await runFake(['tools', 'evil'], { servers: [server], tools }, { columns: 120 });
    expect(stdout).toContain('sends ❤️');
  });

  it('reaches a pipe byte by byte', async () => {
    expect((await runFake(['call', 'evil', 'plain'], options())).stdout).toBe(`${EVIL}\n`);
    expect((await runFake(['read', 'evil', 'file:///a'], options())).stdout).toBe(`${EVIL}\n`);
  });
});
