import { useMemo, useState } from 'react';
import { SearchBox } from '../ui/search-box.js';
import { VirtualList } from '../ui/virtual-list.js';
import { counted, visible } from '../ui/format-text.js';

const ROW_PX = 45;

interface Grantable<Id extends string> {
  readonly id: Id;
  readonly name: string;
  readonly note: string;
}

interface GrantListProps<Id extends string> {
  /** What the entries are, such as `server`. */
  readonly kind: string;
  readonly all: readonly Grantable<Id>[];
  readonly granted: readonly Id[];
  readonly onChange: (id: Id, given: boolean) => void;
}

/** Entries that an agent gets as a whole, with a box to tick each. */
export const GrantList = <Id extends string>({ kind, all, granted, onChange }: GrantListProps<Id>) => {
  const [search, setSearch] = useState('');
  const given = useMemo(() => new Set(granted), [granted]);
  const shown = useMemo(() => {
    const needle = search.trim().toLowerCase();
    return all.filter(({ name }) => name.toLowerCase().includes(needle));
  }, [all, search]);
  return (
    <section className="fill grant-list" aria-label={`${kind}s`}>
      <div className="filters">
        <SearchBox label={`Filter ${kind}s`} value={search} onChange={setSearch} />
        <span className="quiet">{counted(given.size, kind)} granted</span>
      </div>
      {all.length === 0 ? <p className="quiet">There is no {kind} yet.</p> : null}
      <VirtualList
        items={shown}
        keyOf={({ id }) => id}
        rowHeight={ROW_PX}
        label={`All ${kind}s`}
        row={({ id, name, note }) => (
          <label className="row grant-row">
            <input type="checkbox" checked={given.has(id)} onChange={(event) => onChange(id, event.target.checked)} />
            <span className="row-name">{visible(name)}</span>
            <span className="quiet row-fact">{note}</span>
          </label>
        )}
      />
    </section>
  );
};
