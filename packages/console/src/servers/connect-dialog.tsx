import type { ConnectEvent } from '@plugboard/contract';
import { useEffect, useState } from 'react';
import { watchConnect } from '../api/connect.js';
import { Dialog } from '../ui/dialog.js';
import { Failure } from '../ui/failure.js';
import { counted } from '../ui/format-text.js';

const Step = ({ event }: { readonly event: ConnectEvent }) => {
  switch (event.event) {
    case 'connection_attempt':
      return <>Connecting to {event.server_name}…</>;
    case 'oauth_required':
      return <>The server requires a sign-in. {event.message}</>;
    case 'authorization_url':
      return /^https?:\/\//iu.test(event.url) ? (
        <a href={event.url} target="_blank" rel="noopener noreferrer" className="button main">
          Open the sign-in page
        </a>
      ) : (
        <>The server named a sign-in page that is no web address.</>
      );
    case 'waiting_for_auth':
      return <>Waiting until you have signed in there…</>;
    case 'success':
      return <>Connected. The server offers {counted(event.tools.length, 'tool')}.</>;
    case 'error':
      return <Failure error={event.error} />;
    default:
      return event satisfies never;
  }
};

const Steps = ({ id }: { readonly id: string }) => {
  const [events, setEvents] = useState<readonly ConnectEvent[]>([]);
  useEffect(() => {
    setEvents([]);
    return watchConnect(id, (event) => setEvents((before) => [...before, event]));
  }, [id]);
  return (
    <ol className="steps" aria-live="polite">
      {events.map((event, at) => (
        <li key={at}>
          <Step event={event} />
        </li>
      ))}
    </ol>
  );
};

/** Connects to a server and shows each step, also those of an OAuth login. */
export const ConnectDialog = ({
  id,
  open,
  onOpenChange,
}: {
  readonly id: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) => (
  <Dialog title="Connect" open={open} onOpenChange={onOpenChange}>
    <Steps id={id} />
  </Dialog>
);
