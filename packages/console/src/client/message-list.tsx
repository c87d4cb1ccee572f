import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { JsonView } from '../ui/json-view.js';
import { milliseconds, visible } from '../ui/format-text.js';
import { messageTitle } from './message-title.js';
import type { TimedMessage } from './mcp-run.js';

const Line = ({ way, message, ms }: TimedMessage) => {
  const [open, setOpen] = useState(false);
  const Icon = way === 'sent' ? ArrowUp : ArrowDown;
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon size={13} role="img" aria-label={way} /> {visible(messageTitle(message))}{' '}
          <span className="quiet">after {milliseconds(ms)}</span>
        </summary>
        {open ? <JsonView value={message} /> : null}
      </details>
    </li>
  );
};

/** The messages of the protocol that a request consisted of, as they passed between the page and the hub. */
export const MessageList = ({ messages }: { readonly messages: readonly TimedMessage[] }) =>
  messages.length === 0 ? null : (
    <details>
      <summary>JSON-RPC messages ({messages.length})</summary>
      <ol className="messages" aria-label="JSON-RPC messages">
        {messages.map((message) => (
          <Line key={message.id} {...message} />
        ))}
      </ol>
    </details>
  );
