import type { Look } from '../../tree/styled-runs.js';

/** How text looks after a control word; undefined when the word is about something else. */
export const lookAfter = (look: Look, name: string, value: number | undefined): Look | undefined => {
  const on = value !== 0;
  switch (name) {
    case 'b':
      return { ...look, bold: on };
    case 'i':
      return { ...look, italic: on };
    case 'strike':
      return { ...look, struck: on };
    case 'super':
      return { ...look, raised: on, lowered: false };
    case 'sub':
      return { ...look, lowered: on, raised: false };
    case 'up':
      return { ...look, raised: (value ?? 6) > 0 };
    case 'dn':
      return { ...look, lowered: (value ?? 6) > 0 };
    case 'nosupersub':
      return { ...look, raised: false, lowered: false };
    default:
      return undefined;
  }
};
