import { useState } from 'react';
import { CopyText } from '../ui/copy-text.js';
import { Tabs } from '../ui/tabs.js';
import { clientSnippets, type SnippetTarget } from './client-snippets.js';

interface EndpointCardProps extends Omit<SnippetTarget, 'origin'> {
  readonly note?: string;
}

const NOTE = 'Clients need a key once the first key was created. Create one on the page Keys.';

/** An MCP endpoint, ready to paste into a client. */
export const EndpointCard = ({ note = NOTE, ...target }: EndpointCardProps) => {
  const { origin } = window.location;
  const snippets = clientSnippets({ ...target, origin });
  const [client, setClient] = useState(snippets[0]?.id ?? '');
  return (
    <section className="card padded stack" aria-label="Endpoint">
      <CopyText label="MCP endpoint" text={origin + target.path} />
      <Tabs
        label="Clients"
        value={client}
        onChange={setClient}
        tabs={snippets.map(({ id, client: title, where, text }) => ({
          id,
          title,
          content: () => <CopyText label={where} text={text} />,
        }))}
      />
      <p className="quiet">{note}</p>
    </section>
  );
};
