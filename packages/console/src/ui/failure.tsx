import type { ReactNode } from 'react';
import { Notice } from './notice.js';

export interface Failing {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** An error in words, with what to do. */
export const Failure = ({ error, actions }: { readonly error: Failing; readonly actions?: ReactNode }) => (
  <Notice tone="bad" title={error.message} {...(actions === undefined ? {} : { actions })}>
    {error.hint === undefined ? null : <p>{error.hint}</p>}
  </Notice>
);
