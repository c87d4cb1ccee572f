import type { ReactNode } from 'react';

interface NoticeProps {
  readonly tone: 'bad' | 'warn' | 'info' | 'good';
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** Something that a person should know, and what to do about it. */
export const Notice = ({ tone, title, children, actions }: NoticeProps) => (
  <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    {title === undefined ? null : <p className="notice-title">{title}</p>}
    {children === undefined ? null : <div className="notice-body">{children}</div>}
    {actions === undefined ? null : <div className="actions">{actions}</div>}
  </div>
);
