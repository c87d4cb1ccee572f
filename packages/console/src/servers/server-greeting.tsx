import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { isJson, textIn } from '../api/json.js';
import { useMcp } from '../api/mcp/use-mcp.js';
import { FactList } from '../ui/fact-list.js';
import { Failure } from '../ui/failure.js';
import { JsonView } from '../ui/json-view.js';
import { LongText } from '../ui/long-text.js';
import { Skeleton } from '../ui/skeleton.js';
import { visible } from '../ui/format-text.js';

const Greeting = ({ name }: { readonly name: string }) => {
  const mcp = useMcp(`/servers/${encodeURIComponent(name)}/mcp`);
  const greeting = useQuery({ queryKey: ['servers', 'greeting', name], queryFn: () => mcp.greeting() });
  if (greeting.isError) return <Failure error={toApiError(greeting.error)} />;
  if (greeting.data === undefined) return <Skeleton lines={3} />;
  const result = isJson(greeting.data) ? greeting.data : {};
  const info = isJson(result['serverInfo']) ? result['serverInfo'] : {};
  const capabilities = isJson(result['capabilities']) ? result['capabilities'] : {};
  const instructions = textIn(result['instructions']);
  return (
    <div className="stack">
      <FactList
        facts={[
          ['Name', visible(`${textIn(info['title']) || textIn(info['name']) || '–'} ${textIn(info['version'])}`)],
          ['Capabilities', visible(Object.keys(capabilities).join(', ')) || '–'],
        ]}
      />
      <h3>Instructions for models</h3>
      {instructions === '' ? (
        <p className="quiet">The server gives no instructions.</p>
      ) : (
        <LongText text={instructions} />
      )}
      <details>
        <summary>The whole answer to initialize</summary>
        <JsonView value={result} />
      </details>
    </div>
  );
};

/** What clients of the hub are told about the server when they connect to it. It is asked only when somebody looks. */
export const ServerGreeting = ({ name }: { readonly name: string }) => {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Capabilities and instructions</summary>
      {open ? <Greeting name={name} /> : null}
    </details>
  );
};
