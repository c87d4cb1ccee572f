import type { Agent, ApiKeyCreated, Role } from '@plugboard/contract';
import { type FormEvent, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useCreateKey } from '../api/keys.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { CopyText } from '../ui/copy-text.js';
import { Dialog } from '../ui/dialog.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { expiryIn } from './key-state.js';

const ROLES: readonly (readonly [Role, string])[] = [
  ['agent', 'agent: calls tools'],
  ['viewer', 'viewer: reads, changes nothing'],
  ['operator', 'operator: manages servers and tools'],
  ['admin', 'admin: everything, including keys'],
];

const LIVES: readonly (readonly [string, string])[] = [
  ['', 'never'],
  ['7', 'in a week'],
  ['30', 'in 30 days'],
  ['365', 'in a year'],
];

interface FormProps {
  /** The agent whose key it is to be. Without one, the key has a role of its own. */
  readonly agent: Agent | undefined;
  readonly onCreated: (key: ApiKeyCreated) => void;
}

const CreateForm = ({ agent, onCreated }: FormProps) => {
  const create = useCreateKey();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('agent');
  const [days, setDays] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    const owner = agent === undefined ? { role } : { role: 'agent' as const, agent_id: agent.id };
    create.mutate({ name: name.trim(), ...owner, expires_at: expiryIn(days, Date.now()) }, { onSuccess: onCreated });
  };
  return (
    <form onSubmit={submit}>
      {create.isError ? <Failure error={toApiError(create.error)} /> : null}
      <Field label="Name" help="What it is for, such as the program that uses it.">
        {(ids) => <input {...ids} value={name} required onChange={(event) => setName(event.target.value)} />}
      </Field>
      {agent === undefined ? (
        <Field label="Role">{(ids) => <Choice {...ids} value={role} options={ROLES} onChange={setRole} />}</Field>
      ) : null}
      <Field label="Expires">{(ids) => <Choice {...ids} value={days} options={LIVES} onChange={setDays} />}</Field>
      <div className="actions end">
        <Button type="submit" look="main" busy={create.isPending}>
          Create key
        </Button>
      </div>
    </form>
  );
};

const Created = ({ created }: { readonly created: ApiKeyCreated }) => (
  <div className="stack">
    <Notice tone="good" title="Copy the key now. It is not shown again." />
    <CopyText label="Key" text={created.key} />
    {created.notice === undefined ? null : <Notice tone="warn">{created.notice}</Notice>}
  </div>
);

interface CreateKeyProps {
  readonly agent?: Agent;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Asks what the key is for, and shows it once. */
export const CreateKey = ({ agent, open, onOpenChange }: CreateKeyProps) => {
  const [created, setCreated] = useState<ApiKeyCreated | undefined>();
  return (
    <Dialog
      title={created === undefined ? 'Create a key' : 'Your new key'}
      open={open}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (!next) setCreated(undefined);
      }}
    >
      {created === undefined ? <CreateForm agent={agent} onCreated={setCreated} /> : <Created created={created} />}
    </Dialog>
  );
};
