/** Tells a server on behalf of which agent it is called. */
export const agentHeader = (agent: string | undefined): Readonly<Record<string, string>> =>
  agent === undefined ? {} : { 'x-agent-id': agent };
