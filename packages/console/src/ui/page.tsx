import type { ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a page: its title, what can be done, its content. */
export const Page = ({ title, about, actions, children }: PageProps) => (
  <div className="page">
    <title>{`${title} – Plugboard`}</title>
    <header className="page-head">
      <div className="page-title">
        <h1>{title}</h1>
        {about === undefined ? null : <p className="quiet">{about}</p>}
      </div>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
    </header>
    {children}
  </div>
);
