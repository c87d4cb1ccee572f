import { type FormEvent, useState } from 'react';
import type { McpConnection } from '../api/mcp/mcp-connection.js';
import { promptMessages } from '../client/content-block.js';
import { useMcpRun } from '../client/mcp-run.js';
import { Block } from '../client/result-view.js';
import { RunView } from '../client/run-view.js';
import { Button } from '../ui/button.js';
import { visible } from '../ui/format-text.js';
import { ArgumentField } from './argument-field.js';
import type { OfferedPrompt } from './offer.js';

/** A prompt: its arguments are filled in, and the messages that a model would get are shown. */
export const PromptDetail = ({ mcp, prompt }: { readonly mcp: McpConnection; readonly prompt: OfferedPrompt }) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const run = useMcpRun(mcp);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    void run.start('prompts/get', { name: prompt.name, arguments: given });
  };
  return (
    <>
      <h2>{visible(prompt.title)}</h2>
      {prompt.description === '' ? null : <p>{visible(prompt.description)}</p>}
      <form className="stack" onSubmit={submit}>
        {prompt.arguments.map(({ name, description, required }) => (
          <ArgumentField
            key={name}
            mcp={mcp}
            reference={{ type: 'ref/prompt', name: prompt.name }}
            name={name}
            help={visible(description)}
            required={required}
            value={values[name] ?? ''}
            onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
          />
        ))}
        <div className="actions">
          <Button type="submit" look="main" busy={run.running}>
            Get messages
          </Button>
          {run.running ? <Button onClick={run.cancel}>Cancel</Button> : null}
        </div>
      </form>
      <RunView run={run} idle="Get the prompt to see its messages here.">
        {(result) => (
          <div className="stack">
            {promptMessages(result).map(({ role, block }, at) => (
              <section key={at} className="stack tight">
                <h3>{visible(role)}</h3>
                <Block block={block} />
              </section>
            ))}
          </div>
        )}
      </RunView>
    </>
  );
};
