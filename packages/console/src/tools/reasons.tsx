import type { GradeReason } from '@plugboard/contract';
import { visible } from '../ui/format-text.js';

/** Findings about a definition, each with its repair. */
export const Reasons = ({ reasons }: { readonly reasons: readonly GradeReason[] }) => (
  <ul className="facts-list">
    {reasons.map(({ rule, pointer, message, fix }, at) => (
      <li key={`${rule} ${pointer} ${at}`}>
        {visible(message)} {pointer === '' ? null : <code>{visible(pointer)}</code>}
        {fix === undefined ? null : <p className="quiet">{visible(fix)}</p>}
      </li>
    ))}
  </ul>
);
