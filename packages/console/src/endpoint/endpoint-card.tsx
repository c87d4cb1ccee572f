import { useState } from 'react';
import { CopyText } from '../ui/copy-text.js';
import { Tabs } from '../ui/tabs.js';
import { clientSnippets } from './client-snippets.js';

/** An MCP endpoint, ready to paste into a client. */
export const EndpointCard = ({ path, name }: { readonly path: string; readonly name: string }) => {
  const url = window.location.origin + path;
  const snippets = clientSnippets(url, name).filter(({ client }) => path === '/mcp' || client !== 'Claude Desktop');
  const [client, setClient] = useState(snippets[0]?.id ?? '');
  return (
    <section className="card padded stack" aria-label="Endpoint">
      <CopyText label="MCP endpoint" text={url} />
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
      <p className="quiet">Clients need a key once the first key was created. Create one on the page Keys.</p>
    </section>
  );
};
