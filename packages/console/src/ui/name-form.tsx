import { type FormEvent, useState } from 'react';
import { Button } from './button.js';
import { type Failing, Failure } from './failure.js';
import { Field } from './field.js';

export interface Named {
  readonly name: string;
  readonly description: string | null;
}

interface NameFormProps {
  readonly start?: Named;
  readonly help?: string;
  readonly action: string;
  readonly busy: boolean;
  readonly error: Failing | undefined;
  readonly onSubmit: (named: Named) => void;
}

const NOTHING: Named = { name: '', description: null };

/** What something is called, and what it is for. */
export const NameForm = ({ start = NOTHING, help, action, busy, error, onSubmit }: NameFormProps) => {
  const [name, setName] = useState(start.name);
  const [description, setDescription] = useState(start.description ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    onSubmit({ name: name.trim(), description: description.trim() === '' ? null : description.trim() });
  };
  return (
    <form onSubmit={submit}>
      {error === undefined ? null : <Failure error={error} />}
      <Field label="Name" help={help}>
        {(ids) => <input {...ids} value={name} required onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Description">
        {(ids) => <input {...ids} value={description} onChange={(event) => setDescription(event.target.value)} />}
      </Field>
      <div className="actions end">
        <Button type="submit" look="main" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
};
