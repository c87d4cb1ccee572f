import type { Agent, AgentUpdate, ToolView } from '@plugboard/contract';
import { useMemo } from 'react';
import { useAgentTools } from '../api/agents.js';
import { useToolSearch } from '../api/tool-search.js';
import { Badge } from '../ui/badge.js';
import { Choice } from '../ui/choice.js';
import { SearchBox } from '../ui/search-box.js';
import { VirtualList } from '../ui/virtual-list.js';
import { counted, visible } from '../ui/format-text.js';
import { decided, decisionOf, type ToolDecision } from './agent-draft.js';

const ROW_PX = 53;

const DECISIONS: readonly (readonly [ToolDecision, string])[] = [
  ['inherit', 'As its server or toolset'],
  ['allow', 'Always allow'],
  ['deny', 'Always deny'],
];

interface ToolDecisionsProps {
  readonly agent: Agent;
  readonly onChange: (update: AgentUpdate) => void;
}

const Row = ({
  agent,
  tool,
  callable,
  onChange,
}: ToolDecisionsProps & { readonly tool: ToolView; readonly callable: boolean }) => (
  <div className="row decision-row">
    <span className="row-name">
      {visible(tool.upstream_name)} <span className="quiet row-server">{visible(tool.metadata.mcp.server_name)}</span>
    </span>
    <Badge tone={callable ? 'good' : 'quiet'}>{callable ? 'May call' : 'May not call'}</Badge>
    <Choice
      label={`Decision about ${tool.upstream_name} of ${tool.metadata.mcp.server_name}`}
      value={decisionOf(agent, tool.id)}
      options={DECISIONS}
      onChange={(picked) => onChange(decided(agent, tool.id, picked))}
    />
  </div>
);

/** Every tool, whether the agent may call it, and what was decided about it alone. */
export const ToolDecisions = ({ agent, onChange }: ToolDecisionsProps) => {
  const { search, setSearch, tools, more } = useToolSearch();
  const { data: callable = [] } = useAgentTools(agent.id);
  const mayCall = useMemo(() => new Set<string>(callable.map(({ id }) => id)), [callable]);
  return (
    <section className="fill grant-list" aria-label="tools">
      <div className="filters">
        <SearchBox label="Search tools" value={search} onChange={setSearch} />
        <span className="quiet">May call {counted(mayCall.size, 'tool')}</span>
      </div>
      <VirtualList
        items={tools}
        keyOf={({ id }) => id}
        rowHeight={ROW_PX}
        label="All tools"
        onEnd={more}
        row={(tool) => <Row agent={agent} tool={tool} callable={mayCall.has(tool.id)} onChange={onChange} />}
      />
    </section>
  );
};
