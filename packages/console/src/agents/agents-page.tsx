import type { Agent } from '@plugboard/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAgents, useCreateAgent } from '../api/agents.js';
import { toApiError } from '../api/api-error.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { NameForm } from '../ui/name-form.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { counted, visible } from '../ui/format-text.js';

const CreateForm = () => {
  const create = useCreateAgent();
  const [, navigate] = useLocation();
  return (
    <NameForm
      action="Create agent"
      busy={create.isPending}
      error={create.isError ? toApiError(create.error) : undefined}
      onSubmit={(named) => create.mutate(named, { onSuccess: ({ id }) => navigate(`/agents/${id}`) })}
    />
  );
};

const grantsOf = ({ server_ids, toolset_ids, allow_tool_ids }: Agent): string =>
  [
    counted(server_ids.length, 'server'),
    counted(toolset_ids.length, 'toolset'),
    counted(allow_tool_ids.length, 'single tool'),
  ].join(', ');

export const AgentsPage = () => {
  const agents = useAgents();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Agents"
      about="An agent calls only the tools that you grant it, with its own variables and keys."
      actions={
        <Button look="main" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
          New agent
        </Button>
      }
    >
      {agents.isError ? <Failure error={toApiError(agents.error)} /> : null}
      {agents.data === undefined && !agents.isError ? <Skeleton /> : null}
      {agents.data?.length === 0 ? (
        <Empty title="No agents yet">
          <p>
            Create one for each program that uses a model. Grant it servers, toolsets or single tools, create a key for
            it, and paste the endpoint into the program.
          </p>
        </Empty>
      ) : null}
      {agents.data === undefined || agents.data.length === 0 ? null : (
        <ul className="card rows">
          {agents.data.map((agent) => (
            <li key={agent.id}>
              <Link href={`/agents/${agent.id}`} className="row agent-row">
                <span className="row-name">{visible(agent.name)}</span>
                <span className="row-note quiet">{visible(agent.description ?? '')}</span>
                <span className="row-note quiet">{visible(agent.model?.name ?? 'no model')}</span>
                <span className="quiet">{grantsOf(agent)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Dialog title="New agent" open={creating} onOpenChange={setCreating}>
        <CreateForm />
      </Dialog>
    </Page>
  );
};
