import { createServerPolicies, McpClient } from '@plugboard/client';

/** Puts a queue and a circuit breaker around every call, and retries up to three times. */
export const patientClient = (url: string): McpClient =>
  new McpClient({
    config: { mcp_server_type: 'streamable_http', server_url: url },
    maxRetries: 3,
    policies: createServerPolicies({ totalMs: 120_000, bulkhead: { maxConcurrent: 16 } }),
    onEvent: (event) => {
      if (event.type === 'session-lost') console.warn(`session ${event.generation} was lost: ${event.error.message}`);
    },
  });
