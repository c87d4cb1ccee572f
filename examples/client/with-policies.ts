import { createServerPolicies, McpClient } from '@plugboard/client';

/** Puts a queue, a circuit breaker and patient retries around every call. */
export const patientClient = (url: string): McpClient => {
  const { policy } = createServerPolicies({
    totalMs: 120_000,
    bulkhead: { maxConcurrent: 16 },
    retry: { maxRetries: 3 },
  });
  return new McpClient({
    config: { mcp_server_type: 'streamable_http', server_url: url },
    policies: [policy],
    onEvent: (event) => {
      if (event.type === 'session-lost') {
        console.warn(`session ${event.generation} was lost: ${event.error.message}`);
      }
    },
  });
};
