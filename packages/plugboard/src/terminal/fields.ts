import { textWidth } from './text-width.js';
import type { Style } from './style.js';

/** Names and values under each other; what is undefined is left out. */
export const formatFields = (
  fields: readonly (readonly [name: string, value: string | undefined])[],
  style: Style,
): string => {
  const shown = fields.filter((field): field is [string, string] => field[1] !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => textWidth(name)));
  return shown
    .map(([name, value]) => {
      const [first = '', ...rest] = value.split('\n');
      const margin = `\n${' '.repeat(width + 4)}`;
      return `  ${style.dim(name.padEnd(width))}  ${[first, ...rest].join(margin)}`;
    })
    .join('\n');
};
