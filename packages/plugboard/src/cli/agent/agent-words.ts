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

const model = ({ model: configured }: Agent): string | undefined => {
  if (configured === undefined || configured === null) return undefined;
  const { provider, name, base_url: url, fallback, approval, sampling_servers: asking = [] } = configured;
  return [
    printableLine(`${provider}:${name}${url === undefined ? '' : ` at ${url}`}`),
    ...(fallback === undefined ? [] : [printableLine(`fallback: ${fallback}`)]),
    ...(approval === 'destructive' ? ['destructive tools are not called'] : []),
    ...(asking.length > 0 ? [`${asking.join(', ')} may ask it`] : []),
  ].join('\n');
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
        ['model', model(agent)],
      ],
      style,
    ),
  ].join('\n');
