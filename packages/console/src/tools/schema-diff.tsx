import { useMemo } from 'react';
import { visible } from '../ui/format-text.js';
import { diffOfLines } from './line-diff.js';

const MAX_LINES = 600;

const WORDS = { '+': 'added', '-': 'removed', ' ': 'same' } as const;

const json = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? '';

/** A schema before and after it was rewritten, line by line. */
export const SchemaDiff = ({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
}) => {
  const lines = useMemo(() => diffOfLines(json(before), json(after)), [before, after]);
  return (
    <div className="code wrap diff" role="list" aria-label={label} tabIndex={0}>
      {lines.slice(0, MAX_LINES).map(({ sign, text }, at) => (
        <div key={at} role="listitem" className={`diff-line ${WORDS[sign]}`}>
          <span className="diff-sign" role="img" aria-label={WORDS[sign]}>
            {sign}
          </span>
          {visible(text)}
        </div>
      ))}
      {lines.length > MAX_LINES ? (
        <div role="listitem" className="quiet">
          and {(lines.length - MAX_LINES).toLocaleString('en')} more lines
        </div>
      ) : null}
    </div>
  );
};
