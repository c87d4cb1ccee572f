import type { ReactNode } from 'react';

interface TableProps {
  readonly label: string;
  readonly heads: readonly string[];
  /** The rows of its body. */
  readonly children: ReactNode;
}

/** A table that scrolls within its frame, with the keyboard too. */
export const Table = ({ label, heads, children }: TableProps) => (
  <div className="table-frame" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
