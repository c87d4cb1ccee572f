import type { AgentTool } from './agent-tool.js';

/** Is the provider to be asked for arguments that match the schema exactly? */
export const isStrict = ({ profile }: Pick<AgentTool, 'profile'>): boolean => profile.endsWith('-strict');
