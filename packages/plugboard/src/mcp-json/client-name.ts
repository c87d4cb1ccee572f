/** The MCP clients whose files are known. */
export const CLIENTS = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf'] as const;
export type ClientName = (typeof CLIENTS)[number];
