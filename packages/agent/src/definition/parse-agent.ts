import { agentDefinition, type AgentDefinition, PlugboardError } from '@plugboard/contract';

/** The agent with all defaults filled in; a mistake is named with its place. */
export const parseAgent = (input: unknown): AgentDefinition => {
  const parsed = agentDefinition.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.join('.')}:`;
  throw new PlugboardError('INVALID_ARGUMENT', `The agent is not valid.${place} ${issue?.message ?? ''}`.trim(), {
    hint: 'docs/agents.md describes the members of an agent.',
  });
};
