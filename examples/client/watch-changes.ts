import type { McpClient } from '@plugboard/client';

/** Calls back with the new list whenever the server's tools change; returns a function that stops this. */
export const watchTools = (client: McpClient, onTools: (names: readonly string[]) => void): (() => void) =>
  client.onNotification(({ method }) => {
    if (method === 'notifications/tools/list_changed') {
      void client.listTools().then((tools) => onTools(tools.map((tool) => tool.name)));
    }
  });
