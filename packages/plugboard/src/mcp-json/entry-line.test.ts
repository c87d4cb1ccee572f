import { describe, expect, it } from 'vitest';
import { entryLine } from './entry-line.js';

const FILE = `{
  // "files": { a comment }
  "inputs": { "files": {} },
  "mcpServers": {
    "env": { "command": "node", "env": { "files": "x" } },
    "files": {
      "command": "node",
      "args": ["server.js"],
    },
    "with \\"quotes\\"": { "url": "http://127.0.0.1/mcp" }
  }
}
`;

describe('the line of an entry', () => {
  it.each([
    ['files', 6],
    ['env', 5],
    ['with "quotes"', 10],
    ['missing', undefined],
    ['command', undefined],
  ])('%s is on line %s', (name, line) => {
    expect(entryLine(FILE, name)).toBe(line);
  });

  it('is found below mcp in the settings of VS Code', () => {
    expect(entryLine('{\n"mcp": {\n"servers": {\n"a": {}}}}', 'a')).toBe(4);
  });

  it('is not found in YAML', () => {
    expect(entryLine('name: files\ncommand: [node]\n', 'files')).toBeUndefined();
  });
});
