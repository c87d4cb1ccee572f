import { useEffect, useState } from 'react';
import { useLiveState } from '../api/hub.js';
import { Notice } from '../ui/notice.js';

const SHOW_RETURN_MS = 4000;

/** Says when the hub is away, and when it is back. */
export const Connection = () => {
  const state = useLiveState();
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (state === 'lost') setWasLost(true);
    if (state !== 'live' || !wasLost) return;
    const timer = setTimeout(() => setWasLost(false), SHOW_RETURN_MS);
    return () => clearTimeout(timer);
  }, [state, wasLost]);
  if (state === 'lost') {
    return (
      <div className="connection">
        <Notice tone="warn">The connection to the hub is lost. Reconnecting…</Notice>
      </div>
    );
  }
  if (!wasLost) return null;
  return (
    <div className="connection">
      <Notice tone="good">Reconnected. The page shows the current state again.</Notice>
    </div>
  );
};
