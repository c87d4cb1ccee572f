import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { FILE_NAME_RULE } from '../isolate/file-name.js';
import { SandboxError } from '../sandbox-error.js';
import type { Sandbox } from '../run/sandbox.js';
import { describeFile, fileShape, textOf } from './file-shape.js';
import { answer } from '../../serve/tool-answer.js';
import { guarded } from './guarded.js';

const ENCODINGS = ['text', 'base64'] as const;
const BASE64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/u;

const decode = (content: string, encoding: (typeof ENCODINGS)[number]): Uint8Array => {
  if (encoding === 'text') return new TextEncoder().encode(content);
  if (!BASE64.test(content)) throw new SandboxError('FILE_INVALID', 'The content is not base64.');
  return new Uint8Array(Buffer.from(content, 'base64'));
};

export const registerFileTools = (server: McpServer, sandbox: Sandbox): void => {
  registerPutFile(server, sandbox);
  registerGetFile(server, sandbox);
  registerListFiles(server, sandbox);
};

const registerPutFile = (server: McpServer, sandbox: Sandbox): void => {
  server.registerTool(
    'put_file',
    {
      title: 'Put a file',
      description: `Stores a file in memory for run_code and returns its handle. With a session it belongs to the session and replaces the file of that name; without one it is given to run_code by its handle. ${FILE_NAME_RULE}`,
      inputSchema: z.object({
        name: z.string().min(1).max(200).describe('The name under which code finds the file.'),
        content: z.string().describe('The content, in the given encoding.'),
        encoding: z.enum(ENCODINGS).default('text').describe('The encoding of the content: text or base64.'),
        session_id: z.string().optional().describe('The session that the file belongs to.'),
      }),
      outputSchema: fileShape,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    async ({ name, content, encoding, session_id }, { sessionId: owner }) =>
      guarded(() => {
        const file = sandbox.putFile({ name, bytes: decode(content, encoding) }, session_id, owner);
        const described = describeFile(file);
        return answer(described, `${name} (${described.size} bytes): ${file.handle}`);
      }),
  );
};

const registerGetFile = (server: McpServer, sandbox: Sandbox): void => {
  server.registerTool(
    'get_file',
    {
      title: 'Get a file',
      description: 'Returns the content of a file by its handle: as text when it is text, otherwise as base64.',
      inputSchema: z.object({
        handle: z.string().describe('The handle from put_file, list_files or a run.'),
        encoding: z
          .enum(['auto', ...ENCODINGS])
          .default('auto')
          .describe('The encoding of the returned content.'),
      }),
      outputSchema: fileShape.extend({ encoding: z.enum(ENCODINGS), content: z.string() }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ handle, encoding }, { sessionId: owner }) =>
      guarded(() => {
        const file = sandbox.getFile(handle, owner);
        const text = encoding === 'base64' ? undefined : textOf(file.bytes);
        if (text === undefined && encoding === 'text') {
          throw new SandboxError('FILE_INVALID', 'The file is not UTF-8 text.');
        }
        const content = text ?? Buffer.from(file.bytes).toString('base64');
        return answer({ ...describeFile(file), encoding: text === undefined ? 'base64' : 'text', content });
      }),
  );
};

const registerListFiles = (server: McpServer, sandbox: Sandbox): void => {
  server.registerTool(
    'list_files',
    {
      title: 'List files',
      description: 'Lists the files of a session with their handles.',
      inputSchema: z.object({ session_id: z.string().describe('The id from create_session.') }),
      outputSchema: z.object({ files: z.array(fileShape) }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ session_id }, { sessionId: owner }) =>
      guarded(() => {
        const files = sandbox.listFiles(session_id, owner).map(describeFile);
        const lines = files.map(({ name, size, handle }) => `${name} (${size} bytes) ${handle}`);
        return answer({ files }, lines.length === 0 ? 'The session has no files.' : lines.join('\n'));
      }),
  );
};
