import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Sandbox } from '../run/sandbox.js';
import { answer } from '../../serve/tool-answer.js';
import { guarded } from './guarded.js';

export const registerSessionTools = (server: McpServer, sandbox: Sandbox): void => {
  server.registerTool(
    'create_session',
    {
      title: 'Create a session',
      description:
        'Creates a session: variables, functions and files stay from one run_code to the next. It ends with close_session or when it is not used for a while. Anyone who has the id can use the session: keep it secret.',
      inputSchema: z.object({}),
      outputSchema: z.object({
        session_id: z.string(),
        idle_seconds: z.number().describe('How long it lives unused.'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    async (_input, { sessionId: owner }) =>
      guarded(() => {
        const { id } = sandbox.createSession(owner);
        const idleSeconds = Math.round(sandbox.settings.sessionIdleMs / 1000);
        return answer(
          { session_id: id, idle_seconds: idleSeconds },
          `Session ${id}; it ends after ${idleSeconds} s without use.`,
        );
      }),
  );
  server.registerTool(
    'close_session',
    {
      title: 'Close a session',
      description: 'Ends a session and deletes its variables and files.',
      inputSchema: z.object({ session_id: z.string().describe('The id from create_session.') }),
      outputSchema: z.object({ closed: z.boolean().describe('False if the session did not exist.') }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ session_id }, { sessionId: owner }) =>
      guarded(() => {
        const closed = sandbox.closeSession(session_id, owner);
        return answer({ closed }, closed ? 'The session is closed.' : 'The session did not exist.');
      }),
  );
};
