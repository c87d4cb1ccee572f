import type { Agent, AgentUpdate, ToolView } from '@plugboard/contract';

/** What was decided about a single tool of an agent. */
export type ToolDecision = 'allow' | 'deny' | 'inherit';

type ToolId = ToolView['id'];

/** A list with an entry in it, or without it. */
export const withEntry = <Id extends string>(ids: readonly Id[], id: Id, given: boolean): Id[] => {
  const others = ids.filter((other) => other !== id);
  return given ? [...others, id] : others;
};

export const decisionOf = (
  { allow_tool_ids, deny_tool_ids }: Pick<Agent, 'allow_tool_ids' | 'deny_tool_ids'>,
  id: ToolId,
): ToolDecision => {
  if (deny_tool_ids.includes(id)) return 'deny';
  return allow_tool_ids.includes(id) ? 'allow' : 'inherit';
};

export const decided = (
  { allow_tool_ids, deny_tool_ids }: Pick<Agent, 'allow_tool_ids' | 'deny_tool_ids'>,
  id: ToolId,
  decision: ToolDecision,
): AgentUpdate => ({
  allow_tool_ids: withEntry(allow_tool_ids, id, decision === 'allow'),
  deny_tool_ids: withEntry(deny_tool_ids, id, decision === 'deny'),
});

const VARIABLE = /^[A-Z_][A-Z0-9_]*$/u;

/** Why this cannot be the name of a variable; undefined when it can. */
export const variableProblem = (name: string): string | undefined =>
  VARIABLE.test(name) ? undefined : 'Use capital letters, digits and underscores, such as API_KEY.';

/** The other values are masked; a mask that is sent back keeps its value. */
export const withVariable = (agent: Pick<Agent, 'variables'>, name: string, value: string): AgentUpdate => ({
  variables: { ...agent.variables, [name]: value },
});

export const withoutVariable = ({ variables }: Pick<Agent, 'variables'>, name: string): AgentUpdate => {
  const { [name]: _gone, ...rest } = variables;
  return { variables: rest };
};
