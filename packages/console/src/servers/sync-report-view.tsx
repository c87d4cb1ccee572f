import type { SyncReport } from '@plugboard/contract';
import { Badge } from '../ui/badge.js';
import { Failure } from '../ui/failure.js';
import { ago, counted, visible } from '../ui/format-text.js';

const MAX_NAMES = 200;

interface GroupProps {
  readonly title: string;
  readonly items: readonly { readonly name: string; readonly note?: string | undefined }[];
}

const Group = ({ title, items }: GroupProps) =>
  items.length === 0 ? null : (
    <section className="stack tight">
      <h3>
        {title} <span className="quiet">{items.length}</span>
      </h3>
      <ul className="facts-list">
        {items.slice(0, MAX_NAMES).map(({ name, note }) => (
          <li key={name}>
            <code>{visible(name)}</code> {note === undefined ? null : <span className="quiet">{visible(note)}</span>}
          </li>
        ))}
        {items.length > MAX_NAMES ? <li className="quiet">and {items.length - MAX_NAMES} more</li> : null}
      </ul>
    </section>
  );

const TONES = { ok: 'good', partial: 'warn', failed: 'bad' } as const;
const WORDS = { ok: 'Complete', partial: 'Some tools failed', failed: 'Failed' } as const;

const named = (names: readonly string[]): GroupProps['items'] => names.map((name) => ({ name }));

const isUnchanged = ({ status, added, updated, deleted, quarantined = [], skipped, failed }: SyncReport): boolean =>
  status === 'ok' && [added, updated, deleted, quarantined, skipped, failed].every(({ length }) => length === 0);

/** What became of the tools of a server when its list was read. */
export const SyncReportView = ({ report }: { readonly report: SyncReport }) => (
  <div className="stack">
    <p className="actions">
      <Badge tone={TONES[report.status]}>{WORDS[report.status]}</Badge>
      <span className="quiet">
        {counted(report.total, 'tool')} offered, {report.dry_run ? 'tried' : 'read'} {ago(report.at)}
      </span>
    </p>
    {report.error === undefined ? null : <Failure error={report.error} />}
    {isUnchanged(report) ? <p>Nothing changed since the sync before.</p> : null}
    <Group title="Added" items={named(report.added)} />
    <Group title="Updated" items={named(report.updated)} />
    <Group title="Deleted" items={named(report.deleted)} />
    <Group
      title="Waiting for approval"
      items={(report.quarantined ?? []).map(({ name, changes }) => ({
        name,
        note: changes.map(({ sentence }) => sentence).join(' '),
      }))}
    />
    <Group
      title="Skipped"
      items={report.skipped.map(({ name, reasons }) => ({
        name,
        note: reasons.map(({ message }) => message).join(' '),
      }))}
    />
    <Group
      title="Repaired"
      items={report.repaired.map(({ name, reasons }) => ({
        name,
        note: reasons.map(({ message }) => message).join(' '),
      }))}
    />
    <Group title="Not stored" items={report.failed.map(({ name, error }) => ({ name, note: error.message }))} />
  </div>
);
