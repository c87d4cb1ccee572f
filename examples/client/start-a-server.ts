import { childEnvironment, McpClient } from '@plugboard/client';

/** Starts a server as a child process. If it dies, the next call starts it again. */
export const startServer = async (command: string, args: readonly string[]): Promise<readonly string[]> => {
  await using client = new McpClient({
    name: 'files',
    config: { mcp_server_type: 'stdio', command, args: [...args], env: { LOG_LEVEL: 'warn' } },
    environment: childEnvironment({ inherited: process.env }),
    deadlines: { connectMs: 20_000 },
  });
  const tools = await client.listTools();
  return tools.map((tool) => tool.name);
};
