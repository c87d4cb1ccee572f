import type { ServerLogEntry } from '@plugboard/contract';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useHttp } from '../api/hub.js';
import { readServerLogs } from '../api/servers.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';
import { moment, visible } from '../ui/format-text.js';

const FIRST_LINES = 200;
const KEPT_LINES = 2000;
const WAIT_SECONDS = 20;
const EMPTY_MS = 1000;
const RETRY_MS = 2000;
const NEAR_END_PX = 24;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A hub that is away comes back; one that refuses goes on refusing. */
const mayPass = (thrown: unknown): boolean => {
  const { status } = toApiError(thrown);
  return status === 0 || status >= 500;
};

/** Follows the log of a server for as long as it is shown, also over a restart of the hub. */
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
        try {
          const more = await readServerLogs(http, id, query, stop.signal);
          // A log that has nothing yet is asked for everything again.
          if (after === undefined && more.length === 0) await pause(EMPTY_MS);
          after = more.at(-1)?.id ?? after;
          setError(undefined);
          setEntries((before = []) => [...before, ...more].slice(-KEPT_LINES));
        } catch (thrown) {
          if (stop.signal.aborted) return;
          setError(thrown);
          if (!mayPass(thrown)) return;
          await pause(RETRY_MS);
        }
      }
    };
    void follow();
    return () => stop.abort();
  }, [http, id]);
  return { entries, error };
};

const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight < NEAR_END_PX;

const Lines = ({ entries }: { readonly entries: readonly ServerLogEntry[] }) => {
  const frame = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // A person who reads older lines stays there.
  useLayoutEffect(() => {
    if (follows.current && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [entries]);
  return (
    <div
      ref={frame}
      className="log"
      role="log"
      aria-label="Log"
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        follows.current = isAtEnd(currentTarget);
      }}
    >
      {entries.map(({ id: line, at, kind, text }) => (
        <div key={line} className={`log-line ${kind}`}>
          <time dateTime={at}>{moment(at)}</time>
          <span className="log-kind">{kind === 'output' ? '' : kind}</span>
          <span className="log-text">{visible(text)}</span>
        </div>
      ))}
    </div>
  );
};

export const ServerLog = ({ id }: { readonly id: string }) => {
  const { entries, error } = useLog(id);
  if (entries === undefined) {
    return error === undefined ? <Skeleton lines={4} /> : <Failure error={toApiError(error)} />;
  }
  return (
    <div className="stack">
      {error === undefined ? null : <Failure error={toApiError(error)} />}
      {entries.length === 0 ? (
        <p className="quiet">Nothing yet. What a program writes to stderr and what becomes of it shows up here.</p>
      ) : (
        <Lines entries={entries} />
      )}
    </div>
  );
};
