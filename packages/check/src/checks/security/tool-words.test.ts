import { describe, expect, test } from 'vitest';
import { toListedTool } from '../../probe/lists.js';
import { alike, changesThings, toxicFlows } from './tool-words.js';

const tool = (name: string, description = '', annotations: object = {}) =>
  toListedTool({ name, description, annotations, inputSchema: { type: 'object' } });

describe('names', () => {
  test.each([
    ['read_file', 'read-file'],
    ['readFile', 'read_file'],
    ['list_01', 'Iist_0l'.replace('I', 'l')],
    ['modern', 'modem'],
    ['café', 'cafe'],
  ])('%s and %s look the same', (one, other) => {
    expect(alike([one, 'other', other])).toEqual([[one, other]]);
  });

  test('that differ are told apart', () => {
    expect(alike(['read', 'write', 'read_all', 'list_1', 'list_2'])).toEqual([]);
  });

  test.each(['delete_note', 'deleteNote', 'send-mail', 'UPDATE_ROW'])('%s changes things', (name) => {
    expect(changesThings(tool(name))).toBe(true);
  });

  test.each(['get_updates', 'list_deleted', 'echo', 'settings'])('%s does not', (name) => {
    expect(changesThings(tool(name))).toBe(false);
  });
});

describe('a toxic flow', () => {
  const web = tool('fetch_page', 'Fetches a page of the web.', { readOnlyHint: true });
  const files = tool('open_file', 'Opens a private file.', { readOnlyHint: true });
  const mail = tool('send_mail', 'Sends a mail.');

  test('needs strangers, private things and a way out', () => {
    expect(toxicFlows([web, files, mail])).toEqual({
      untrusted: 'fetch_page',
      sensitive: 'open_file',
      harmful: 'send_mail',
    });
  });

  test('is none when one of the three is missing', () => {
    expect(toxicFlows([web, files])).toBeUndefined();
    expect(toxicFlows([web, mail])).toBeUndefined();
    expect(toxicFlows([files, mail])).toBeUndefined();
  });

  test('is none when the way out only reads', () => {
    expect(
      toxicFlows([web, files, tool('send_preview', 'Shows what would be sent.', { readOnlyHint: true })]),
    ).toBeUndefined();
  });
});
