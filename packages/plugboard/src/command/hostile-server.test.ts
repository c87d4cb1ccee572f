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

  it('reaches a pipe byte by byte', async () => {
    expect((await runFake(['call', 'evil', 'plain'], options())).stdout).toBe(`${EVIL}\n`);
    expect((await runFake(['read', 'evil', 'file:///a'], options())).stdout).toBe(`${EVIL}\n`);
  });
});
