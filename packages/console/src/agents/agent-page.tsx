import type { Agent, AgentUpdate } from '@plugboard/contract';
import { useLocation, useParams } from 'wouter';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAgent, useDeleteAgent, useUpdateAgent } from '../api/agents.js';
import { toApiError } from '../api/api-error.js';
import { useServers } from '../api/servers.js';
import { useToolsets } from '../api/toolsets.js';
import { DeleteButton } from '../ui/delete-button.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { RenameButton } from '../ui/rename-button.js';
import { Skeleton } from '../ui/skeleton.js';
import { Tabs } from '../ui/tabs.js';
import { useToast } from '../ui/toast.js';
import { counted, visible } from '../ui/format-text.js';
import { withEntry } from './agent-draft.js';
import { AgentModelForm } from './agent-model.js';
import { AgentVariables } from './agent-variables.js';
import { GrantList } from './grant-list.js';
import { ToolDecisions } from './tool-decisions.js';
import { useKeys } from '../api/keys.js';
import { EndpointCard } from '../endpoint/endpoint-card.js';
import { CreateKey } from '../keys/create-key.js';
import { KeyList } from '../keys/key-list.js';
import { Button } from '../ui/button.js';

const DeleteAgent = ({ agent }: { readonly agent: Agent }) => {
  const remove = useDeleteAgent(agent.id);
  const [, navigate] = useLocation();
  const tell = useToast();
  const onConfirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => navigate('/agents'),
      onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
    });
  return (
    <DeleteButton kind="agent" name={agent.name} busy={remove.isPending} onConfirm={onConfirm}>
      Its keys are revoked, and {counted(Object.keys(agent.variables).length, 'variable')} are deleted. This cannot be
      undone.
    </DeleteButton>
  );
};

/** How programs call as this agent: with one of its keys, at the endpoint of the hub. */
const AgentKeys = ({ agent }: { readonly agent: Agent }) => {
  const keys = useKeys();
  const [creating, setCreating] = useState(false);
  const own = (keys.data ?? []).filter(({ agent_id }) => agent_id === agent.id);
  return (
    <div className="stack">
      <div className="actions">
        <Button look="main" icon={<Plus size={16} />} disabled={keys.isError} onClick={() => setCreating(true)}>
          Create key
        </Button>
        <span className="quiet">A program that sends a key of this agent calls as this agent.</span>
      </div>
      {keys.isError ? <Failure error={toApiError(keys.error)} /> : null}
      {keys.data === undefined && !keys.isError ? <Skeleton lines={2} /> : null}
      {own.length === 0 ? null : <KeyList keys={own} />}
      <h2>Endpoint</h2>
      <EndpointCard path="/mcp" name={agent.name} stdio={[]} keyed note="Replace pb_… with a key of this agent." />
      <CreateKey agent={agent} open={creating} onOpenChange={setCreating} />
    </div>
  );
};

const Details = ({ agent }: { readonly agent: Agent }) => {
  const [, navigate] = useLocation();
  const { tab = 'servers' } = useParams<{ tab?: string }>();
  const { data: servers = [] } = useServers();
  const { data: toolsets = [] } = useToolsets();
  const update = useUpdateAgent(agent.id);
  const tell = useToast();
  const save = (change: AgentUpdate, onSaved?: () => void): void =>
    update.mutate(change, {
      onSuccess: onSaved ?? (() => undefined),
      onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
    });
  return (
    <Page
      title={visible(agent.name)}
      about={visible(agent.description ?? 'An agent of this hub.')}
      actions={
        <>
          <RenameButton
            named={{ name: agent.name, description: agent.description ?? null }}
            help="Chat and programs that ask the agent use its name."
            busy={update.isPending}
            error={undefined}
            onSubmit={save}
          />
          <DeleteAgent agent={agent} />
        </>
      }
    >
      <Tabs
        label="About the agent"
        value={tab}
        onChange={(id) => navigate(`/agents/${agent.id}/${id}`, { replace: true })}
        tabs={[
          {
            id: 'servers',
            title: 'Servers',
            content: () => (
              <GrantList
                kind="server"
                all={servers.map(({ id, server_name, tool_count }) => ({
                  id,
                  name: server_name,
                  note: counted(tool_count, 'tool'),
                }))}
                granted={agent.server_ids}
                onChange={(id, given) => save({ server_ids: withEntry(agent.server_ids, id, given) })}
              />
            ),
          },
          {
            id: 'toolsets',
            title: 'Toolsets',
            content: () => (
              <GrantList
                kind="toolset"
                all={toolsets.map(({ id, name, entries }) => ({ id, name, note: counted(entries.length, 'tool') }))}
                granted={agent.toolset_ids}
                onChange={(id, given) => save({ toolset_ids: withEntry(agent.toolset_ids, id, given) })}
              />
            ),
          },
          { id: 'tools', title: 'Tools', content: () => <ToolDecisions agent={agent} onChange={save} /> },
          {
            id: 'variables',
            title: 'Variables',
            content: () => <AgentVariables agent={agent} busy={update.isPending} onChange={save} />,
          },
          {
            id: 'model',
            title: 'Model',
            content: () => <AgentModelForm agent={agent} busy={update.isPending} onChange={save} />,
          },
          { id: 'keys', title: 'Keys and endpoint', content: () => <AgentKeys agent={agent} /> },
        ]}
      />
    </Page>
  );
};

export const AgentPage = () => {
  const { id } = useParams<{ id: string }>();
  const agent = useAgent(id);
  if (agent.data !== undefined) return <Details agent={agent.data} />;
  return (
    <Page title="Agent">{agent.isError ? <Failure error={toApiError(agent.error)} /> : <Skeleton lines={5} />}</Page>
  );
};
