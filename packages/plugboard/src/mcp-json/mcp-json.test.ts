import { entryName } from '@plugboard/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from './client-name.js';
import { clientPlace } from './client-place.js';
import { parseClientFile } from './client-file.js';
import { rewriteReferences, legalName, planImport } from './plan-import.js';

const variables = { userHome: '/home/me', inputs: new Map([['key', 'value']]) };

describe('references in other clients’ files', () => {
  it.each([
    ['plain', 'plain'],
    ['${env:API_KEY}', '${API_KEY}'],
    ['Bearer ${API_KEY}', 'Bearer ${API_KEY}'],
    ['${API_KEY:-none}', '{{ API_KEY | none }}'],
    ['${input:key}', 'value'],
    ['${userHome}/x', '/home/me/x'],
    ['a${/}b', 'a/b'],
    ['$HOME and {}', '$HOME and {}'],
  ])('turns %s into %s', (text, expected) => {
    expect(rewriteReferences(text, variables)).toEqual({ ok: true, text: expected });
  });

  it.each([
    ['${input:other}', ['input:other']],
    ['${workspaceFolder}/${file}', ['workspaceFolder', 'file']],
    ['${command:pick}', ['command:pick']],
  ])('does not resolve %s', (text, unresolved) => {
    expect(rewriteReferences(text, variables)).toEqual({ ok: false, unresolved });
  });
});

describe('names', () => {
  it('become legal, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        expect(entryName.safeParse(legalName(name)).success).toBe(true);
      }),
    );
  });

  it('stay as they are when they are legal, and never clash', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'a!', 'a?', 'A', 'x'.repeat(64), 'x'.repeat(70)), { maxLength: 12 }),
        (names) => {
          const steps = planImport(
            names.map((name, index) => [name, { command: `c${index}` }]),
            { registered: [], variables, questions: [], ownUrls: [] },
          );
          const given = steps.flatMap((step) => (step.kind === 'add' ? [step.as] : []));
          expect(new Set(given).size).toBe(names.length);
          for (const name of given) expect(entryName.safeParse(name).success).toBe(true);
        },
      ),
    );
  });
});

describe('the place of a client’s file', () => {
  const place = (client: (typeof CLIENTS)[number], platform: NodeJS.Platform, env = {}): string =>
    clientPlace(client, { platform, env, userHome: platform === 'win32' ? 'C:\\Users\\me' : '/home/me' });

  it('is known for every client on every platform', () => {
    expect(CLIENTS.map((client) => place(client, 'linux'))).toEqual([
      '/home/me/.config/Claude/claude_desktop_config.json',
      '/home/me/.claude.json',
      '/home/me/.cursor/mcp.json',
      '/home/me/.config/Code/User/mcp.json',
      '/home/me/.codeium/windsurf/mcp_config.json',
    ]);
    expect(place('claude-desktop', 'darwin')).toBe(
      '/home/me/Library/Application Support/Claude/claude_desktop_config.json',
    );
    expect(place('vscode', 'win32', { APPDATA: 'D:\\Roaming' })).toBe('D:\\Roaming\\Code\\User\\mcp.json');
    expect(place('vscode', 'win32')).toBe('C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json');
    expect(place('vscode', 'linux', { XDG_CONFIG_HOME: '/xdg' })).toBe('/xdg/Code/User/mcp.json');
  });
});

describe('a client’s file', () => {
  it.each([['{"mcpServers": {"a": 1}}'], ['{"servers": {"a": 1}}'], ['{"mcp": {"servers": {"a": 1}, "inputs": []}}']])(
    'has its servers in %s',
    (text) => {
      expect(parseClientFile(text)).toEqual({ ok: true, entries: [['a', 1]], inputs: [] });
    },
  );

  it('has the questions of VS Code', () => {
    expect(parseClientFile('{"servers": {}, "inputs": [{"id": "k", "description": "d"}, {"x": 1}, 7]}')).toEqual({
      ok: true,
      entries: [],
      inputs: [{ id: 'k', description: 'd' }],
    });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseClientFile(text)).toHaveProperty('ok');
      }),
    );
  });

  it('is refused when it is not an object', () => {
    expect(parseClientFile('[]')).toEqual({ ok: false, why: 'it is not a JSON object' });
  });
});

describe('planning an import', () => {
  it('never throws on any entry', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (entry) => {
        const [step] = planImport([['a', entry]], { registered: [], variables, questions: [], ownUrls: [] });
        expect(['add', 'refused']).toContain(step?.kind);
      }),
    );
  });
});
