import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

/** A state in a word. The colour repeats what the word says. */
export const Badge = ({
  tone,
  children,
  title,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
  readonly title?: string;
}) => (
  <span className={`badge ${tone}`} {...(title === undefined ? {} : { title })}>
    <span className="dot" aria-hidden="true" />
    {children}
  </span>
);
