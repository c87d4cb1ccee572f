import type { ReactNode } from 'react';

/** Columns that belong together, under one head. */
export interface HeadGroup {
  readonly title: string;
  readonly heads: readonly string[];
}

interface TableProps {
  readonly label: string;
  readonly heads: readonly (string | HeadGroup)[];
  /** The rows of its body. */
  readonly children: ReactNode;
}

/** A table that scrolls within its frame, with the keyboard too. */
export const Table = ({ label, heads, children }: TableProps) => {
  const groups = heads.filter((head) => typeof head !== 'string');
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) =>
              typeof head === 'string' ? (
                <th key={head} scope="col" rowSpan={groups.length === 0 ? 1 : 2}>
                  {head}
                </th>
              ) : (
                <th key={head.title} scope="colgroup" colSpan={head.heads.length} className="head-group">
                  {head.title}
                </th>
              ),
            )}
          </tr>
          {groups.length === 0 ? null : (
            <tr>
              {groups.flatMap(({ title, heads: inner }) =>
                inner.map((head) => (
                  <th key={`${title} ${head}`} scope="col">
                    {head}
                  </th>
                )),
              )}
            </tr>
          )}
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
};
