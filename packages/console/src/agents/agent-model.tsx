import type { Agent, AgentModel as Model, AgentUpdate } from '@plugboard/contract';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Field } from '../ui/field.js';
import { useToast } from '../ui/toast.js';
import { modelDraftOf, modelOf, modelProblem, PROVIDERS } from './model-draft.js';

interface AgentModelProps {
  readonly agent: Agent;
  readonly busy: boolean;
  readonly onChange: (update: AgentUpdate, onSaved?: () => void) => void;
}

/** The model that answers for the agent, here in Chat and at `/v1/chat/completions`. */
export const AgentModelForm = ({ agent, busy, onChange }: AgentModelProps) => {
  const [draft, setDraft] = useState(() => modelDraftOf(agent.model));
  const [tried, setTried] = useState(false);
  const tell = useToast();
  const problem = modelProblem(draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (problem === undefined) onChange({ model: modelOf(agent.model, draft) }, () => tell('Saved.'));
  };
  const has = agent.model !== null && agent.model !== undefined;
  return (
    <form className="stack form" onSubmit={submit}>
      <Field
        label="Provider"
        help={
          <>
            Set {PROVIDERS[draft.provider].variables} in <Link href={`/agents/${agent.id}/variables`}>Variables</Link>.
          </>
        }
      >
        {(ids) => (
          <Choice
            {...ids}
            value={draft.provider}
            options={(Object.keys(PROVIDERS) as Model['provider'][]).map((id) => [id, PROVIDERS[id].title] as const)}
            onChange={(picked) => setDraft({ ...draft, provider: picked })}
          />
        )}
      </Field>
      <Field label="Model" error={tried ? problem : undefined}>
        {(ids) => (
          <input
            {...ids}
            value={draft.name}
            spellCheck={false}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Base URL" help="Leave it empty for the provider's own. The hub's network policy applies.">
        {(ids) => (
          <input
            {...ids}
            type="url"
            value={draft.baseUrl}
            spellCheck={false}
            onChange={(event) => setDraft({ ...draft, baseUrl: event.target.value })}
          />
        )}
      </Field>
      <Field label="Instructions" help="What the model is told before every conversation.">
        {(ids) => (
          <textarea
            {...ids}
            rows={4}
            value={draft.instructions}
            onChange={(event) => setDraft({ ...draft, instructions: event.target.value })}
          />
        )}
      </Field>
      <div className="actions">
        <Button type="submit" look="main" busy={busy}>
          Save model
        </Button>
        {has ? (
          <>
            <Button
              disabled={busy}
              onClick={() =>
                onChange({ model: null }, () =>
                  tell('The agent has no model now.', { undo: () => onChange({ model: agent.model }) }),
                )
              }
            >
              Remove model
            </Button>
            <Link href="/chat">Open the chat</Link>
          </>
        ) : null}
      </div>
    </form>
  );
};
