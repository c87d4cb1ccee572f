import type { AuditEntry } from '@plugboard/contract';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useNextPage } from '../api/next-page.js';
import { useAudit } from '../api/watch.js';
import { Badge } from '../ui/badge.js';
import { Choice } from '../ui/choice.js';
import { Failure } from '../ui/failure.js';
import { OlderEntries } from '../ui/older-entries.js';
import { SearchBox } from '../ui/search-box.js';
import { Skeleton } from '../ui/skeleton.js';
import { VirtualList } from '../ui/virtual-list.js';
import { milliseconds, moment, visible } from '../ui/format-text.js';
import { CallDialog } from './call-dialog.js';
import { barOf } from './recorded-call.js';

const ROW_PX = 45;

const WINDOWS: readonly (readonly [number, string])[] = [
  [60_000, 'last minute'],
  [300_000, 'last 5 minutes'],
  [3_600_000, 'last hour'],
  [0, 'any time'],
];

const OUTCOMES: readonly (readonly ['' | 'ok' | 'errors', string])[] = [
  ['', 'All outcomes'],
  ['ok', 'Succeeded'],
  ['errors', 'Errors'],
];

interface Window {
  readonly from: number;
  readonly to: number;
}

const Waterfall = ({ entry, window }: { readonly entry: AuditEntry; readonly window: Window }) => {
  const bar = barOf(entry, window);
  return (
    <span className="waterfall wide-only" aria-hidden="true">
      {bar === undefined ? null : (
        <span
          className={`waterfall-bar ${entry.outcome === 'ok' ? 'good' : 'bad'}`}
          style={{ left: `${bar.start * 100}%`, width: `${bar.width * 100}%` }}
        />
      )}
    </span>
  );
};

const Row = ({
  entry,
  window,
  onOpen,
}: {
  readonly entry: AuditEntry;
  readonly window: Window;
  readonly onOpen: () => void;
}) => (
  <button type="button" className="row call-row" onClick={onOpen}>
    <time dateTime={entry.at} className="quiet" title={entry.at}>
      {moment(entry.at)}
    </time>
    <Badge tone={entry.outcome === 'ok' ? 'good' : 'bad'}>{visible(entry.outcome)}</Badge>
    <span className="row-name">{visible(entry.target)}</span>
    <Waterfall entry={entry} window={window} />
    <span className="quiet row-fact wide-only">{visible(entry.actor)}</span>
    <span className="quiet row-fact">{milliseconds(entry.duration_ms)}</span>
  </button>
);

/** Calls as they happen, each with its place in time. */
export const LiveCalls = () => {
  const [search, setSearch] = useState('');
  const [outcome, setOutcome] = useState<'' | 'ok' | 'errors'>('');
  const [span, setSpan] = useState(0);
  const [opened, setOpened] = useState<AuditEntry | undefined>();
  const trail = useAudit('call', true);
  const { data, error, isError, dataUpdatedAt } = trail;
  const more = useNextPage(trail);
  const all = useMemo(() => (data?.pages ?? []).flatMap((page) => page.entries), [data]);
  const entries = useMemo(() => {
    const needle = search.trim().toLowerCase();
    return all.filter(
      (entry) =>
        (span === 0 || Date.parse(entry.at) >= dataUpdatedAt - span) &&
        (outcome === '' || (entry.outcome === 'ok') === (outcome === 'ok')) &&
        `${entry.target} ${entry.outcome} ${entry.actor}`.toLowerCase().includes(needle),
    );
  }, [all, search, outcome, span, dataUpdatedAt]);
  const window = useMemo((): Window => {
    const [newest] = entries;
    const oldest = entries.at(-1);
    if (span > 0 || newest === undefined || oldest === undefined) {
      return { from: dataUpdatedAt - span, to: dataUpdatedAt };
    }
    return { from: Date.parse(oldest.at) - oldest.duration_ms, to: Date.parse(newest.at) };
  }, [entries, span, dataUpdatedAt]);
  if (isError && data === undefined) return <Failure error={toApiError(error)} />;
  if (data === undefined) return <Skeleton lines={8} />;
  return (
    <div className="fill">
      <div className="filters">
        <SearchBox
          label="Filter calls"
          placeholder="Filter by tool, outcome or caller"
          value={search}
          onChange={setSearch}
        />
        <Choice label="Outcome" value={outcome} options={OUTCOMES} onChange={setOutcome} />
        <Choice label="Time" value={span} options={WINDOWS} onChange={setSpan} />
      </div>
      {entries.length === 0 ? (
        <OlderEntries
          seen={all.length}
          hasMore={trail.hasNextPage}
          busy={trail.isFetchingNextPage}
          onMore={more}
          empty={
            <>
              No tool was called yet. <Link href="/tools">Try one</Link>, and it shows up here.
            </>
          }
        />
      ) : (
        <VirtualList
          items={entries}
          keyOf={({ id }) => id}
          rowHeight={ROW_PX}
          label="Calls"
          onEnd={more}
          row={(entry) => <Row entry={entry} window={window} onOpen={() => setOpened(entry)} />}
        />
      )}
      {opened === undefined ? null : <CallDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
};
