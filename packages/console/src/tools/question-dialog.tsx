import { lazy, Suspense, useId, useState } from 'react';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { JsonView } from '../ui/json-view.js';
import { Skeleton } from '../ui/skeleton.js';
import { visible } from '../ui/words.js';
import { hasMembers } from './arguments-text.js';
import type { Question } from './tool-run.js';

const SchemaForm = lazy(() => import('./schema-form.js'));

const Elicitation = ({ question }: { readonly question: Question }) => {
  const id = useId();
  const [value, setValue] = useState<Readonly<Record<string, unknown>>>({});
  const { message, requestedSchema: schema } = question.params;
  const accept = (): void => question.answer({ action: 'accept', content: value });
  return (
    <>
      <p>{typeof message === 'string' ? visible(message) : ''}</p>
      {hasMembers(schema) ? (
        <Suspense fallback={<Skeleton lines={2} />}>
          <SchemaForm id={id} schema={schema} value={value} onChange={setValue} onSubmit={accept} />
        </Suspense>
      ) : null}
      <div className="actions end">
        <Button onClick={() => question.answer({ action: 'decline' })}>Decline</Button>
        <Button look="main" {...(hasMembers(schema) ? { type: 'submit' as const, form: id } : { onClick: accept })}>
          Send answer
        </Button>
      </div>
    </>
  );
};

/** Nobody has a model here: the person at the page writes what one would. */
const Sampling = ({ question }: { readonly question: Question }) => {
  const [text, setText] = useState('');
  return (
    <>
      <JsonView value={question.params['messages']} />
      <Field label="The answer of the model">
        {(ids) => <textarea {...ids} rows={4} value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      <div className="actions end">
        <Button
          look="main"
          onClick={() =>
            question.answer({
              role: 'assistant',
              model: 'a person',
              stopReason: 'endTurn',
              content: { type: 'text', text },
            })
          }
        >
          Send answer
        </Button>
      </div>
    </>
  );
};

/** What a server asks in the middle of a call. Closing the dialog declines. */
export const QuestionDialog = ({ question }: { readonly question: Question }) => {
  const isElicitation = question.method === 'elicitation/create';
  return (
    <Dialog
      title={isElicitation ? 'The server asks you' : 'The server asks a model'}
      open
      onOpenChange={(open) => {
        if (!open) question.answer({ action: 'cancel' });
      }}
    >
      {isElicitation ? <Elicitation question={question} /> : <Sampling question={question} />}
    </Dialog>
  );
};
