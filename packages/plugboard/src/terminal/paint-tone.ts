import type { Style } from './style.js';

/** How a line of a report is meant. Every report says it alike. */
export type Tone = 'good' | 'fair' | 'bad' | 'dim' | 'plain';

export const paintTone = (tone: Tone, text: string, style: Style): string => {
  switch (tone) {
    case 'good':
      return style.green(text);
    case 'fair':
      return style.yellow(text);
    case 'bad':
      return style.red(text);
    case 'dim':
      return style.dim(text);
    case 'plain':
      return text;
    default:
      return tone satisfies never;
  }
};
