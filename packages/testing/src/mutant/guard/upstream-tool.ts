import { READ_ONLY, strictTool } from '../strict-tool.js';

/** Asks another server with a token of its own, and shows what that one got. */
export const upstreamTool = strictTool({
  name: 'show_upstream',
  title: 'Show upstream',
  description: 'Shows the headers that this server sends to the one that it asks in turn.',
  annotations: READ_ONLY,
  parameters: {},
  handler: (_args, call) =>
    JSON.stringify({ authorization: call.headers['authorization'] ?? 'Bearer a token of the server itself' }),
});
