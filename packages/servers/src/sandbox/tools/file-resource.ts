import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { SandboxError } from '../sandbox-error.js';
import type { Sandbox } from '../run/sandbox.js';
import { FILE_URI_PREFIX, textOf } from './file-shape.js';

/** Files by handle. They are not listed: a handle is a key, and a list would hand out everybody's. */
export const registerFileResource = (server: McpServer, sandbox: Sandbox): void => {
  server.registerResource(
    'file',
    new ResourceTemplate(`${FILE_URI_PREFIX}{handle}`, { list: undefined }),
    { title: 'A file of the sandbox', description: 'A file by its handle, from put_file, list_files or a run.' },
    (uri, { handle }, { sessionId: owner }) => {
      try {
        const { bytes } = sandbox.getFile(String(handle), owner);
        const text = textOf(bytes);
        const content =
          text === undefined
            ? { mimeType: 'application/octet-stream', blob: Buffer.from(bytes).toString('base64') }
            : { mimeType: 'text/plain', text };
        return { contents: [{ uri: uri.href, ...content }] };
      } catch (error) {
        throw error instanceof SandboxError ? new ResourceNotFoundError(uri.href) : error;
      }
    },
  );
};
