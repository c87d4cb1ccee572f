import { lazy, Suspense, useId, useState } from 'react';
import { textIn } from '../api/json.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { JsonView } from '../ui/json-view.js';
import { LongText } from '../ui/long-text.js';
import { Skeleton } from '../ui/skeleton.js';
import { visible } from '../ui/format-text.js';
import { hasMembers } from './arguments-text.js';
import type { Question } from './mcp-run.js';
import { sampledMessages } from './sampling.js';

const SchemaForm = lazy(() => import('./schema-form.js'));

interface PartProps {
  readonly question: Question;
}

const FormQuestion = ({ question }: PartProps) => {
  const id = useId();
  const [value, setValue] = useState<Readonly<Record<string, unknown>>>({});
  const [ready, setReady] = useState(false);
  const { message, requestedSchema: schema } = question.params;
  const accept = (): void => question.answer({ action: 'accept', content: value });
  const fillable = hasMembers(schema);
  return (
    <>
      <p>{visible(textIn(message))}</p>
      {fillable ? (
        <Suspense fallback={<Skeleton lines={2} />}>
          <SchemaForm
            id={id}
            schema={schema}
            value={value}
            onChange={setValue}
            onSubmit={accept}
            onReady={() => setReady(true)}
          />
        </Suspense>
      ) : null}
      <div className="actions end">
        <Button onClick={() => question.answer({ action: 'decline' })}>Decline</Button>
        <Button
          look="main"
          disabled={fillable && !ready}
          {...(fillable ? { type: 'submit' as const, form: id } : { onClick: accept })}
        >
          Send answer
        </Button>
      </div>
    </>
  );
};

/** The server asks for something that it must not see itself, at an address of its own. */
const UrlQuestion = ({ question }: PartProps) => {
  const url = textIn(question.params['url']);
  const usable = /^https?:\/\//iu.test(url);
  return (
    <>
      <p>{visible(textIn(question.params['message']))}</p>
      <CopyText label="It asks you to open this address" text={url} />
      {usable ? null : <p className="field-error">This is no web address. It is not opened.</p>}
      <div className="actions end">
        <Button onClick={() => question.answer({ action: 'decline' })}>Decline</Button>
        {usable ? (
          <a
            className="button main"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => question.answer({ action: 'accept' })}
          >
            Open the address
          </a>
        ) : null}
      </div>
    </>
  );
};

/** No model is connected to the page: the person writes what one would. */
const Sampling = ({ question }: PartProps) => {
  const [text, setText] = useState('');
  const { systemPrompt, messages, ...rest } = question.params;
  return (
    <>
      {typeof systemPrompt === 'string' ? (
        <section className="stack tight">
          <h3>System prompt</h3>
          <LongText text={systemPrompt} />
        </section>
      ) : null}
      {sampledMessages(messages).map(({ role, text: said, other }, at) => (
        <section key={at} className="stack tight">
          <h3>{visible(role)}</h3>
          {said === undefined ? <JsonView value={other} /> : <LongText text={said} />}
        </section>
      ))}
      <details>
        <summary>Everything else that it asks for</summary>
        <JsonView value={rest} />
      </details>
      <Field label="The answer of the model" help="You answer in place of a model.">
        {(ids) => <textarea {...ids} rows={4} value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      <div className="actions end">
        <Button onClick={question.refuse}>Reject</Button>
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

/** What a server asks in the middle of a request. Closing the dialog is no answer, and the server learns that. */
export const QuestionDialog = ({ question }: PartProps) => {
  const isElicitation = question.method === 'elicitation/create';
  const close = (): void => (isElicitation ? question.answer({ action: 'cancel' }) : question.refuse());
  const Part = isElicitation ? (question.params['mode'] === 'url' ? UrlQuestion : FormQuestion) : Sampling;
  return (
    <Dialog
      title={isElicitation ? 'The server asks you' : 'The server asks a model'}
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Part question={question} />
    </Dialog>
  );
};
