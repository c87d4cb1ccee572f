import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '@plugboard/contract';
import { compareServers } from './compare-servers.js';

const tool = (name: string, description: string, parameters: readonly string[] = []): ToolDefinition => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }])),
  },
});

const summary = (before: readonly ToolDefinition[], after: readonly ToolDefinition[]) =>
  compareServers(before, after).map(({ kind, code, tool: name }) => `${kind} ${code} ${name}`);

describe('compareServers', () => {
  const read = tool('read_file', 'Reads a file from the disk.', ['path', 'encoding']);
  const list = tool('list_files', 'Lists a folder.', ['path']);

  it('finds nothing when only the order differs', () => {
    expect(summary([read, list], [list, read])).toEqual([]);
  });

  it('reports a renamed tool as a rename', () => {
    expect(compareServers([read, list], [list, { ...read, name: 'fs_read' }])).toEqual([
      {
        kind: 'breaking',
        code: 'tool-renamed',
        tool: 'read_file',
        pointer: '/name',
        sentence: 'The tool "read_file" was renamed to "fs_read".',
      },
    ]);
  });

  it('recognises a tool that was renamed and changed', () => {
    const changed = tool('read_text_file', 'Reads a text file from the disk.', ['path', 'encoding']);
    expect(summary([read, list], [changed, list])).toEqual([
      'breaking tool-renamed read_file',
      'instruction text-changed read_file',
    ]);
  });

  it('reports what came and what went', () => {
    const send = tool('send_mail', 'Sends a message.', ['to', 'subject', 'body']);
    expect(summary([read, list], [list, send])).toEqual([
      'breaking tool-removed read_file',
      'compatible tool-added send_mail',
    ]);
  });

  it('does not guess between equal candidates', () => {
    const [a, b] = [tool('a', '', ['x']), tool('b', '', ['x'])];
    const codes = summary([a, b], [tool('c', '', ['x']), tool('d', '', ['x'])]);
    expect(codes.filter((code) => code.includes('tool-renamed')).length).toBeLessThanOrEqual(2);
    expect(summary([tool('alpha', 'One thing.')], [tool('omega', 'Another matter.')])).toEqual([
      'breaking tool-removed alpha',
      'compatible tool-added omega',
    ]);
  });
});
