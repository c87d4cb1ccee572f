import type { ApiKey, ApiKeyCreated, Role } from '@plugboard/contract';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useCreateKey, useKeys, useRevokeKey } from '../api/keys.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { CopyText } from '../ui/copy-text.js';
import { Dialog } from '../ui/dialog.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { useToast } from '../ui/toast.js';
import { ago, visible } from '../ui/words.js';
import { expiryIn, keyState } from './key-state.js';

const ROLES: readonly (readonly [Role, string])[] = [
  ['agent', 'agent: calls tools'],
  ['viewer', 'viewer: looks, changes nothing'],
  ['operator', 'operator: manages servers and tools'],
  ['admin', 'admin: everything, keys included'],
];

const LIVES: readonly (readonly [string, string])[] = [
  ['', 'never'],
  ['7', 'in a week'],
  ['30', 'in 30 days'],
  ['365', 'in a year'],
];

const CreateForm = ({ onCreated }: { readonly onCreated: (key: ApiKeyCreated) => void }) => {
  const create = useCreateKey();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('agent');
  const [days, setDays] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    create.mutate({ name: name.trim(), role, expires_at: expiryIn(days, Date.now()) }, { onSuccess: onCreated });
  };
  return (
    <form onSubmit={submit}>
      {create.isError ? <Failure error={toApiError(create.error)} /> : null}
      <Field label="Name" help="What it is for, such as the program that uses it.">
        {(ids) => <input {...ids} value={name} required onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Role">
        {(ids) => (
          <select {...ids} value={role} onChange={(event) => setRole(event.target.value as Role)}>
            {ROLES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Expires">
        {(ids) => (
          <select {...ids} value={days} onChange={(event) => setDays(event.target.value)}>
            {LIVES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
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

const KeyRow = ({ apiKey, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }) => {
  const { tone, word } = keyState(apiKey, Date.now());
  return (
    <li className="row key-row">
      <span className="row-name">{visible(apiKey.name)}</span>
      <Badge tone={tone}>{word}</Badge>
      <span className="quiet">{apiKey.role}</span>
      <code>{apiKey.prefix}…</code>
      <span className="quiet">{apiKey.last_used_at === null ? 'never used' : `used ${ago(apiKey.last_used_at)}`}</span>
      {tone === 'good' ? <Button onClick={onRevoke}>Revoke</Button> : <span />}
    </li>
  );
};

export const KeysPage = () => {
  const keys = useKeys();
  const revoke = useRevokeKey();
  const tell = useToast();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<ApiKeyCreated | undefined>();
  const [asking, setAsking] = useState<ApiKey | undefined>();
  const close = (open: boolean): void => {
    setCreating(open);
    if (!open) setCreated(undefined);
  };
  return (
    <Page
      title="Keys"
      about="Who may use this hub. Each program and person gets a key of its own."
      actions={
        <Button look="main" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      {keys.isError ? <Failure error={toApiError(keys.error)} /> : null}
      {keys.data === undefined && !keys.isError ? <Skeleton /> : null}
      {keys.data?.length === 0 ? (
        <Empty title="No keys yet">
          <p>
            Without keys, everybody on this machine may call tools. The first key changes that: from then on all must
            send one.
          </p>
        </Empty>
      ) : null}
      {keys.data === undefined || keys.data.length === 0 ? null : (
        <ul className="card rows">
          {keys.data.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => setAsking(apiKey)} />
          ))}
        </ul>
      )}
      <Dialog title={created === undefined ? 'Create a key' : 'Your new key'} open={creating} onOpenChange={close}>
        {created === undefined ? <CreateForm onCreated={setCreated} /> : <Created created={created} />}
      </Dialog>
      <Confirm
        title={`Revoke ${asking?.name ?? ''}?`}
        action="Revoke key"
        open={asking !== undefined}
        onOpenChange={(open) => !open && setAsking(undefined)}
        onConfirm={() =>
          asking !== undefined &&
          revoke.mutate(asking.id, {
            onSuccess: () => tell('Revoked.'),
            onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
          })
        }
      >
        <p>Whoever uses it is refused at once, and open sessions end. This cannot be undone.</p>
      </Confirm>
    </Page>
  );
};
