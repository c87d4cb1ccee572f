import { type ReactNode, useMemo, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { Failure } from '../ui/failure.js';
import { SearchBox } from '../ui/search-box.js';
import { Skeleton } from '../ui/skeleton.js';
import { VirtualList } from '../ui/virtual-list.js';
import { counted, visible } from '../ui/format-text.js';

const ROW_PX = 57;

interface OfferListProps<Entry> {
  readonly kind: string;
  readonly offer: { readonly data: readonly Entry[] | undefined; readonly isError: boolean; readonly error: unknown };
  readonly keyOf: (entry: Entry) => string;
  readonly titleOf: (entry: Entry) => string;
  readonly noteOf: (entry: Entry) => string;
  readonly chosen: string | undefined;
  readonly onPick: (key: string) => void;
  /** What can be done with the chosen entry. */
  readonly detail: (entry: Entry) => ReactNode;
}

/** What a server offers on the left, the chosen one on the right. */
export const OfferList = <Entry,>({
  kind,
  offer,
  keyOf,
  titleOf,
  noteOf,
  chosen,
  onPick,
  detail,
}: OfferListProps<Entry>) => {
  const [search, setSearch] = useState('');
  const shown = useMemo(() => {
    const needle = search.trim().toLowerCase();
    return (offer.data ?? []).filter((entry) => `${titleOf(entry)} ${keyOf(entry)}`.toLowerCase().includes(needle));
  }, [offer.data, search, titleOf, keyOf]);
  if (offer.isError) return <Failure error={toApiError(offer.error)} />;
  if (offer.data === undefined) return <Skeleton lines={5} />;
  if (offer.data.length === 0) return <p className="quiet">This server offers no {kind}s.</p>;
  const current = offer.data.find((entry) => keyOf(entry) === chosen);
  return (
    <div className="browse">
      <div className="fill">
        <SearchBox
          label={`Filter ${kind}s`}
          placeholder={`Filter ${counted(offer.data.length, kind)}`}
          value={search}
          wide
          onChange={setSearch}
        />
        <VirtualList
          items={shown}
          keyOf={keyOf}
          rowHeight={ROW_PX}
          label={`All ${kind}s`}
          row={(entry) => (
            <button
              type="button"
              className="row browse-row"
              aria-pressed={keyOf(entry) === chosen}
              onClick={() => onPick(keyOf(entry))}
            >
              <span className="row-name">{visible(titleOf(entry))}</span>
              <span className="row-note quiet">{visible(noteOf(entry))}</span>
            </button>
          )}
        />
      </div>
      <div className="browse-detail stack">
        {current === undefined ? <p className="quiet">Choose a {kind}.</p> : detail(current)}
      </div>
    </div>
  );
};
