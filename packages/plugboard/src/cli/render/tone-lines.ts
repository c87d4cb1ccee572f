import type { ReportLine } from '@plugboard/check';
import type { Output } from '../../terminal/output.js';
import { paintTone } from '../../terminal/paint-tone.js';
import { printableColumns } from '../../terminal/printable.js';
import { wrapText } from '../../terminal/text-width.js';

/** Lines of a report for this terminal; nothing that a server said acts on it. */
export const toneLines = (lines: readonly ReportLine[], { style, width }: Pick<Output, 'style' | 'width'>): string =>
  lines
    .flatMap(({ indent, tone, text, unbroken = false }) => {
      const margin = ' '.repeat(indent);
      const line = printableColumns(text);
      const pieces = width === undefined || unbroken ? [line] : wrapText(line, width - indent);
      return pieces.map((piece) => `${margin}${paintTone(tone, piece, style)}`);
    })
    .join('\n');
