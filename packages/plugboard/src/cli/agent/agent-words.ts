import type { Agent } from '@plugboard/contract';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { formatFields } from '../../terminal/fields.js';

/** How ids are called by people. */
export interface AgentNames {
  readonly server: (id: string) => string;
  readonly toolset: (id: string) => string;
  readonly tool: (id: string) => string;
}

const listed = (ids: readonly string[], name: (id: string) => string): string | undefined =>
  ids.length === 0 ? undefined : ids.map((id) => printableLine(name(id))).join('\n');

const variables = (agent: Agent): string | undefined => {
  const entries = Object.entries(agent.variables);
  return entries.length === 0 ? undefined : entries.map(([name, mask]) => `${name}=${mask}`).join('\n');
};

/** Everything about an agent; values of variables as the hub masks them. */
export const agentDetail = (agent: Agent, names: AgentNames, style: Style): string =>
  [
    style.bold(agent.name),
    formatFields(
      [
        ['id', agent.id],
        ['description', agent.description === null ? undefined : printableLine(agent.description)],
        ['servers', listed(agent.server_ids, names.server)],
        ['toolsets', listed(agent.toolset_ids, names.toolset)],
        ['allowed', listed(agent.allow_tool_ids, names.tool)],
        ['denied', listed(agent.deny_tool_ids, names.tool)],
        ['variables', variables(agent)],
      ],
      style,
    ),
  ].join('\n');
