import type { ReactNode } from 'react';
import { Button } from './button.js';
import { counted } from './format-text.js';

interface OlderEntriesProps {
  /** How many were looked at. */
  readonly seen: number;
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly onMore: () => void;
  /** What is said when there is nothing at all. */
  readonly empty: ReactNode;
}

/** Nothing fits a filter: what was looked at, and the way to look at older ones. */
export const OlderEntries = ({ seen, hasMore, busy, onMore, empty }: OlderEntriesProps) =>
  seen === 0 ? (
    <p className="quiet">{empty}</p>
  ) : (
    <div className="actions" role="status">
      <span className="quiet">
        {hasMore
          ? `None of the newest ${counted(seen, 'entry', 'entries')} fits.`
          : `None of ${counted(seen, 'entry', 'entries')} fits.`}
      </span>
      {hasMore ? (
        <Button busy={busy} onClick={onMore}>
          Search older entries
        </Button>
      ) : null}
    </div>
  );
