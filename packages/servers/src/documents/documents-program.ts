import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerProgram } from '../serve/server-program.js';
import { VERSION } from '../version.js';

/** Documents become Markdown, HTML, JSON or text. */
export const documentsProgram: ServerProgram = {
  name: 'plugboard-documents',
  version: VERSION,
  summary: 'Converts documents to Markdown, HTML, JSON or text.',
  defaultPort: 3020,
  open: () => ({
    makeServer: () => {
      const server = new McpServer({ name: 'documents', version: VERSION }, { capabilities: { tools: {} } });
      server.registerTool('get_supported_formats', { description: 'Formats.', inputSchema: z.object({}) }, () => ({
        content: [{ type: 'text', text: 'text' }],
      }));
      return server;
    },
  }),
};
