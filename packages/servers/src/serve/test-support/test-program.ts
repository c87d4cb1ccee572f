import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerProgram } from '../command-line/server-program.js';
import { UsageError } from '../command-line/usage-error.js';

/** A server with one tool and one resource, which records what becomes of it. */
export const testProgram = (): ServerProgram & {
  readonly seen: { closed: number; aborted: number };
} => {
  const seen = { closed: 0, aborted: 0 };
  return {
    name: 'plugboard-test',
    version: '9.9.9',
    summary: 'A server for tests.',
    defaultPort: 3999,
    maxMessageBytes: 10_000,
    options: {
      colour: { type: 'string', multiple: true, value: 'name', help: 'A colour.' },
      loud: { type: 'boolean', help: 'Fail at once.' },
    },
    seen,
    open: ({ values }) => {
      if (values['loud'] === true) throw new UsageError('too loud');
      return {
        makeServer: () => {
          const server = new McpServer({ name: 'test', version: '9.9.9' });
          server.registerTool(
            'echo',
            { description: 'Echoes.', inputSchema: z.object({ text: z.string() }) },
            ({ text }) => ({
              content: [{ type: 'text', text }],
            }),
          );
          server.registerTool(
            'wait',
            { description: 'Never answers.', inputSchema: z.object({}) },
            (_input, { mcpReq }) =>
              new Promise((_resolve, reject) => {
                mcpReq.signal.addEventListener('abort', () => {
                  seen.aborted += 1;
                  reject(new Error('aborted'));
                });
              }),
          );
          return server;
        },
        health: () => ({ mood: 'good' }),
        close: async () => {
          seen.closed += 1;
        },
      };
    },
  };
};
