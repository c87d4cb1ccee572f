import type { Agent, AgentUpdate } from '@plugboard/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { Empty } from '../ui/empty.js';
import { Field } from '../ui/field.js';
import { visible } from '../ui/format-text.js';
import { variableProblem, withoutVariable, withVariable } from './agent-draft.js';

interface AgentVariablesProps {
  readonly agent: Agent;
  readonly busy: boolean;
  readonly onChange: (update: AgentUpdate, onSaved?: () => void) => void;
}

const SetForm = ({ agent, busy, onChange }: AgentVariablesProps) => {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [tried, setTried] = useState(false);
  const problem = variableProblem(name.trim());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (problem !== undefined) return;
    onChange(withVariable(agent, name.trim(), value), () => {
      setName('');
      setValue('');
      setTried(false);
    });
  };
  return (
    <form className="stack form" onSubmit={submit}>
      <div className="two">
        <Field label="Name of the variable" error={tried ? problem : undefined}>
          {(ids) => (
            <input {...ids} value={name} spellCheck={false} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label="Value" help="Encrypted, and never shown again.">
          {(ids) => (
            <input
              {...ids}
              type="password"
              autoComplete="off"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="actions">
        <Button type="submit" look="main" busy={busy}>
          Set variable
        </Button>
      </div>
    </form>
  );
};

/** The values that fill the templates of servers when this agent calls. They are shown masked. */
export const AgentVariables = (props: AgentVariablesProps) => {
  const { agent, onChange } = props;
  const [asking, setAsking] = useState<string | undefined>();
  const variables = Object.entries(agent.variables);
  return (
    <div className="stack">
      {variables.length === 0 ? (
        <Empty title="No variables">
          <p>
            A server that has <code>{'{{ API_KEY }}'}</code> in its configuration gets the value of the agent that calls
            it.
          </p>
        </Empty>
      ) : (
        <ul className="card rows" aria-label="Variables">
          {variables.map(([name, masked]) => (
            <li key={name} className="row variable-row">
              <code>{name}</code>
              <span className="quiet">{visible(masked)}</span>
              <Button aria-label={`Remove ${name}`} onClick={() => setAsking(name)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <SetForm {...props} />
      <Confirm
        title={`Remove ${asking ?? ''}?`}
        action="Remove variable"
        open={asking !== undefined}
        onOpenChange={(open) => !open && setAsking(undefined)}
        onConfirm={() => asking !== undefined && onChange(withoutVariable(agent, asking))}
      >
        <p>Its value is deleted, and servers that need it fail for this agent. The hub cannot show the value again.</p>
      </Confirm>
    </div>
  );
};
