import { posix } from 'node:path';
import type { FakeTool } from '../definition/tool.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { READ_ONLY, strictTool } from './strict-tool.js';

const refused = (text: string): JsonObject => ({ content: [{ type: 'text', text }], isError: true });

const rootsIn = (answer: JsonObject): readonly string[] =>
  (Array.isArray(answer['roots']) ? answer['roots'] : []).flatMap((root: unknown) =>
    isObject(root) && typeof root['uri'] === 'string' && root['uri'].startsWith('file://')
      ? [new URL(root['uri']).pathname.replace(/\/$/u, '')]
      : [],
  );

const openFile = strictTool({
  name: 'open_file',
  title: 'Open a file',
  description: 'Gives back the text of a file in the folders that the client has opened.',
  annotations: READ_ONLY,
  parameters: { path: { type: 'string', description: 'The absolute path of the file.', maxLength: 4_096 } },
  required: ['path'],
  handler: async (args, call) => {
    const path = posix.normalize(String(args['path']));
    const roots = 'roots' in call.clientCapabilities ? rootsIn(await call.roots()) : [];
    if (!roots.some((root) => path.startsWith(`${root}/`))) return refused('That file is in no folder that is open.');
    return 'The text of a note.';
  },
});

const fetchPage = strictTool({
  name: 'fetch_page',
  title: 'Fetch a page',
  description: 'Gives back the text of a page on the Internet; pages of this machine are refused.',
  annotations: { ...READ_ONLY, openWorldHint: true },
  parameters: { url: { type: 'string', description: 'The address of the page, with https.', maxLength: 2_048 } },
  required: ['url'],
  handler: (args) => {
    const url = String(args['url']);
    const isPublic = URL.canParse(url) && new URL(url).protocol === 'https:' && new URL(url).hostname === 'example.com';
    return isPublic ? 'An example page.' : refused('That address is not allowed.');
  },
});

/** Tools that reach beyond the server, and keep to what is allowed. */
export const reachingTools: readonly FakeTool[] = [openFile, fetchPage];
