import { LongText } from './long-text.js';

export const JsonView = ({ value }: { readonly value: unknown }) => (
  <LongText text={JSON.stringify(value, undefined, 2) ?? ''} />
);
