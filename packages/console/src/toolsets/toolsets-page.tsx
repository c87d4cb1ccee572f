import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useCreateToolset, useToolsets } from '../api/toolsets.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { NameForm } from '../ui/name-form.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { counted, visible } from '../ui/format-text.js';

const CreateForm = () => {
  const create = useCreateToolset();
  const [, navigate] = useLocation();
  return (
    <NameForm
      help="Part of the address of its endpoint."
      action="Create toolset"
      busy={create.isPending}
      error={create.isError ? toApiError(create.error) : undefined}
      onSubmit={(named) => create.mutate(named, { onSuccess: ({ id }) => navigate(`/toolsets/${id}`) })}
    />
  );
};

export const ToolsetsPage = () => {
  const toolsets = useToolsets();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Toolsets"
      about="A toolset is a selection of tools from several servers, with its own MCP endpoint."
      actions={
        <Button look="main" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
          New toolset
        </Button>
      }
    >
      {toolsets.isError ? <Failure error={toApiError(toolsets.error)} /> : null}
      {toolsets.data === undefined && !toolsets.isError ? <Skeleton /> : null}
      {toolsets.data?.length === 0 ? (
        <Empty title="No toolsets yet">
          <p>
            Models choose better among few tools. Pick those that a task needs, and give its agent that endpoint only.
          </p>
        </Empty>
      ) : null}
      {toolsets.data === undefined || toolsets.data.length === 0 ? null : (
        <ul className="card rows">
          {toolsets.data.map(({ id, name, description, entries }) => (
            <li key={id}>
              <Link href={`/toolsets/${id}`} className="row tool-row">
                <span className="row-name">{visible(name)}</span>
                <span className="quiet">{counted(entries.length, 'tool')}</span>
                <span className="row-note quiet">{visible(description ?? '')}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Dialog title="New toolset" open={creating} onOpenChange={setCreating}>
        <CreateForm />
      </Dialog>
    </Page>
  );
};
