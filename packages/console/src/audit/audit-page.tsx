import type { AuditEntry } from '@plugboard/contract';
import { useMemo, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { toApiError } from '../api/api-error.js';
import { useNextPage } from '../api/next-page.js';
import { useAudit } from '../api/watch.js';
import { Badge } from '../ui/badge.js';
import { Failure } from '../ui/failure.js';
import { OlderEntries } from '../ui/older-entries.js';
import { Page } from '../ui/page.js';
import { SearchBox } from '../ui/search-box.js';
import { Skeleton } from '../ui/skeleton.js';
import { VirtualList } from '../ui/virtual-list.js';
import { milliseconds, moment, visible } from '../ui/format-text.js';
import { useHttp } from '../api/hub.js';
import { Button } from '../ui/button.js';

const ROW_PX = 45;

/** One line of the trail. */
const AuditRow = ({ entry }: { readonly entry: AuditEntry }) => (
  <div className="row audit-row">
    <time dateTime={entry.at} className="quiet" title={entry.at}>
      {moment(entry.at)}
    </time>
    <Badge tone={entry.outcome === 'ok' ? 'good' : 'bad'}>{visible(entry.outcome)}</Badge>
    <span className="row-name">{visible(entry.action)}</span>
    <span className="row-note">{visible(entry.target)}</span>
    <span className="quiet row-fact wide-only">{visible(entry.actor)}</span>
    <span className="quiet row-fact">{milliseconds(entry.duration_ms)}</span>
  </div>
);

/** What was done, newest first. */
const AuditList = ({ search }: { readonly search: string }) => {
  const trail = useAudit('admin', false);
  const { data, error, isError } = trail;
  const more = useNextPage(trail);
  const all = useMemo(() => (data?.pages ?? []).flatMap((page) => page.entries), [data]);
  const entries = useMemo(() => {
    const needle = search.trim().toLowerCase();
    return all.filter(({ action, target, outcome, actor }) =>
      `${action} ${target} ${outcome} ${actor}`.toLowerCase().includes(needle),
    );
  }, [all, search]);
  if (isError && data === undefined) return <Failure error={toApiError(error)} />;
  if (data === undefined) return <Skeleton lines={8} />;
  if (entries.length === 0) {
    return (
      <OlderEntries
        seen={all.length}
        hasMore={trail.hasNextPage}
        busy={trail.isFetchingNextPage}
        onMore={more}
        empty="Nothing was changed yet. Each change of servers, toolsets, agents and keys is recorded here."
      />
    );
  }
  return (
    <VirtualList
      items={entries}
      keyOf={({ id }) => id}
      rowHeight={ROW_PX}
      label="Entries"
      onEnd={more}
      row={(entry) => <AuditRow entry={entry} />}
    />
  );
};

const FILE = 'audit.jsonl';
/** The browser reads the file after the click. */
const READ_MS = 60_000;

const save = (file: Blob): void => {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: FILE });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
};

/** Saves the whole trail as a file. A plain link could not prove that it comes from this page. */
const ExportAudit = () => {
  const http = useHttp();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => save(await (await http.send('/v1/audit/export')).blob()),
  });
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()}>
        Export
      </Button>
      {error === null ? null : <Failure error={toApiError(error)} />}
    </>
  );
};

export const AuditPage = () => {
  const [search, setSearch] = useState('');
  return (
    <Page
      title="Audit"
      about="Every change of the hub, who made it, and how it ended. Values are left out."
      actions={<ExportAudit />}
    >
      <SearchBox
        label="Filter the audit trail"
        placeholder="Filter by action, target, outcome or actor"
        value={search}
        onChange={setSearch}
      />
      <AuditList search={search} />
    </Page>
  );
};
