import { describe, expect, test } from 'vitest';
import { toListedTool } from '../probe/lists.js';
import { draftTarget } from '../draft/draft-target.js';
import { parseTargetFile } from './target-file.js';
import { checkTarget } from './target.js';

const parse = (text: string, env: Record<string, string> = {}) => parseTargetFile(text, { name: 'x.yaml', env });

describe('a target file', () => {
  test('is YAML or JSON, with defaults for what it leaves out', () => {
    const target = parse('url: http://localhost:1/mcp\ntools:\n  echo: { arguments: { text: hi } }\n');
    expect(target).toMatchObject({ url: 'http://localhost:1/mcp', tier: 'standard', failOn: 'must', headers: {} });
    expect(target.tools['echo']).toEqual({ arguments: { text: 'hi' }, safe: true });
    expect(target.budgets.requestMs).toBe(10_000);
    expect(parse('{"command":["node","x.js"]}').command).toEqual(['node', 'x.js']);
  });

  test('takes variables from the environment, and names one that is missing', () => {
    const text = 'url: http://localhost:1/mcp\nheaders:\n  Authorization: Bearer ${TOKEN}\n';
    expect(parse(text, { TOKEN: 's3cret' }).headers).toEqual({ Authorization: 'Bearer s3cret' });
    expect(() => parse(text)).toThrow('TOKEN');
  });

  test.each([
    ['url: [', 'line 1'],
    ['url: ftp://x', 'url'],
    ['colour: red', 'colour'],
    ['budgets: { requestMs: 0 }', 'requestMs'],
    ['just a text', 'expected object'],
  ])('says what is wrong with %j', (text, why) => {
    expect(() => parse(text)).toThrow(why);
  });
});

describe('a draft', () => {
  const tools = [
    {
      name: 'read',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      annotations: { readOnlyHint: true },
    },
    { name: 'delete_all', inputSchema: { type: 'object' } },
  ].map(toListedTool);

  test('is a target file that allows what only reads', () => {
    const target = checkTarget.parse({ url: 'http://localhost:1/mcp', headers: { 'X-Key': 'secret' } });
    const text = draftTarget(target, tools);
    expect(text).not.toContain('secret');
    const read = parse(text, { X_KEY: 'k' });
    expect(read.tools).toEqual({ read: { arguments: { path: 'example' }, safe: true } });
    expect(text).toMatch(/# delete_all/u);
  });

  test.each([[[]], [tools.slice(1)]])('is one for a server without harmless tools, too', (offered) => {
    const target = checkTarget.parse({ command: ['node', 'server.js'] });
    expect(parse(draftTarget(target, offered))).toMatchObject({ command: ['node', 'server.js'], tools: {} });
  });
});
