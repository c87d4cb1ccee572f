import { type FormEvent, useState } from 'react';
import type { McpConnection } from '../api/mcp/mcp-connection.js';
import { Button } from '../ui/button.js';
import { visible } from '../ui/format-text.js';
import { ArgumentField } from './argument-field.js';
import { filled, type OfferedTemplate, variablesIn } from './offer.js';
import { ResourceContents } from './resource-detail.js';

/** A template of addresses: its variables are filled in, and what is there is read. */
export const TemplateDetail = ({
  mcp,
  offered,
}: {
  readonly mcp: McpConnection;
  readonly offered: OfferedTemplate;
}) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [uri, setUri] = useState<string | undefined>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setUri(filled(offered.template, values));
  };
  return (
    <>
      <h2>{visible(offered.name)}</h2>
      {offered.description === '' ? null : <p>{visible(offered.description)}</p>}
      <form className="stack" onSubmit={submit}>
        <code>{visible(offered.template)}</code>
        {variablesIn(offered.template).map((name) => (
          <ArgumentField
            key={name}
            mcp={mcp}
            reference={{ type: 'ref/resource', uri: offered.template }}
            name={name}
            value={values[name] ?? ''}
            onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
          />
        ))}
        <div className="actions">
          <Button type="submit" look="main">
            Read
          </Button>
        </div>
      </form>
      {uri === undefined ? null : (
        <>
          <p>
            <code>{visible(uri)}</code>
          </p>
          <ResourceContents mcp={mcp} uri={uri} />
        </>
      )}
    </>
  );
};
