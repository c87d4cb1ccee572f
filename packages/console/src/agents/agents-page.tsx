import type { Agent } from '@plugboard/contract';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAgents, useCreateAgent } from '../api/agents.js';
import { toApiError } from '../api/api-error.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { counted, visible } from '../ui/words.js';

const CreateForm = () => {
  const create = useCreateAgent();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    create.mutate(
      { name: name.trim(), description: description.trim() === '' ? null : description.trim() },
      { onSuccess: ({ id }) => navigate(`/agents/${id}`) },
    );
  };
  return (
    <form onSubmit={submit}>
      {create.isError ? <Failure error={toApiError(create.error)} /> : null}
      <Field label="Name">
        {(ids) => <input {...ids} value={name} required onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Description">
        {(ids) => <input {...ids} value={description} onChange={(event) => setDescription(event.target.value)} />}
      </Field>
      <div className="actions end">
        <Button type="submit" look="main" busy={create.isPending}>
          Create agent
        </Button>
      </div>
    </form>
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
      about="An agent calls only the tools that you grant it, with variables and keys of its own."
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
