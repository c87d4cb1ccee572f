import type { ServerLogEntry } from '@plugboard/contract';
import { useEffect, useRef, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useHttp } from '../api/hub.js';
import { readServerLogs } from '../api/servers.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';
import { visible } from '../ui/format-text.js';

const FIRST_LINES = 200;
const KEPT_LINES = 2000;
const WAIT_SECONDS = 20;

/** Follows the log of a server for as long as it is shown. */
const useLog = (id: string) => {
  const http = useHttp();
  const [entries, setEntries] = useState<readonly ServerLogEntry[] | undefined>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      let after: string | undefined;
      while (!stop.signal.aborted) {
        const query = after === undefined ? { limit: FIRST_LINES } : { after, wait: WAIT_SECONDS, limit: 1000 };
        const more = await readServerLogs(http, id, query, stop.signal);
        // A log that has nothing yet is asked for everything again.
        if (after === undefined && more.length === 0) await new Promise((resolve) => setTimeout(resolve, 1000));
        after = more.at(-1)?.id ?? after;
        setEntries((before = []) => [...before, ...more].slice(-KEPT_LINES));
      }
    };
    follow().catch((thrown: unknown) => {
      if (!stop.signal.aborted) setError(thrown);
    });
    return () => stop.abort();
  }, [http, id]);
  return { entries, error };
};

export const ServerLog = ({ id }: { readonly id: string }) => {
  const { entries, error } = useLog(id);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [entries?.length]);
  if (error !== undefined) return <Failure error={toApiError(error)} />;
  if (entries === undefined) return <Skeleton lines={4} />;
  if (entries.length === 0) {
    return <p className="quiet">Nothing yet. What a program writes to stderr and what becomes of it shows up here.</p>;
  }
  return (
    <div className="log" role="log" aria-label="Log" tabIndex={0}>
      {entries.map(({ id: line, at, kind, text }) => (
        <div key={line} className={`log-line ${kind}`}>
          <time dateTime={at}>{at.slice(11, 19)}</time>
          <span className="log-kind">{kind === 'output' ? '' : kind}</span>
          <span className="log-text">{visible(text)}</span>
        </div>
      ))}
      <div ref={end} />
    </div>
  );
};
