import type { ReactNode } from 'react';

/** A list that has nothing to show says why, and what would fill it. */
export const Empty = ({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
    {actions === undefined ? null : <div className="actions">{actions}</div>}
  </div>
);
