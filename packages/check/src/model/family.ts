/** The families of the catalogue, in the order of a report. */
export const FAMILIES = {
  lifecycle: 'Lifecycle and version negotiation',
  'json-rpc': 'JSON-RPC',
  stdio: 'stdio',
  'streamable-http': 'Streamable HTTP',
  sse: 'HTTP+SSE',
  tools: 'Tools',
  resources: 'Resources',
  prompts: 'Prompts',
  completion: 'Completion',
  logging: 'Logging',
  pagination: 'Pagination',
  subscriptions: 'Subscriptions',
  cancellation: 'Cancellation',
  progress: 'Progress',
  'server-requests': 'Requests of the server',
  'multi-round-trip': 'Multi-round-trip requests',
  tasks: 'Tasks',
  authorization: 'Authorization',
  lint: 'Schema and documentation',
  providers: 'LLM providers',
  security: 'Security',
  hub: 'Hub',
  differential: 'Differences between two ways',
} as const;

export type Family = keyof typeof FAMILIES;
