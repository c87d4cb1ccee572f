import { hintFor } from '@plugboard/contract';
import type { ImportedFile, ImportOutcome } from './import.js';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { count } from '../../terminal/count.js';

const addedWords = (entry: ImportOutcome & { readonly outcome: 'added' }, dryRun: boolean, style: Style): string => {
  const renamed =
    entry.as === entry.name ? '' : ` as ${style.bold(entry.as)}, because that name is taken or not allowed here`;
  if (dryRun) return `${style.green('would be added')}${renamed}`;
  if (entry.sync === undefined) return `${style.green('added')}${renamed}`;
  const { sync } = entry;
  if (sync.error === undefined) return `${style.green('added')}${renamed}, ${count(sync.total, 'tool')}`;
  const advice = hintFor(sync.error, 'cli');
  const hint = advice === undefined ? '' : ` ${printableLine(advice)}`;
  return `${style.yellow('added, but its tools could not be read')}${renamed}: ${printableLine(sync.error.message)}${hint}`;
};

const outcomeWords = (entry: ImportOutcome, dryRun: boolean, style: Style): string => {
  switch (entry.outcome) {
    case 'added':
      return addedWords(entry, dryRun, style);
    case 'already there':
      return style.dim(entry.as === entry.name ? 'already there' : `already there as ${entry.as}`);
    case 'skipped':
      return style.dim(`skipped: ${printableLine(entry.why)}`);
    case 'refused':
      return `${style.red('refused')}: ${printableLine(entry.why)}`;
    default:
      return entry satisfies never;
  }
};

/** What became of each entry of a file, one line each. */
export const importWords = (file: ImportedFile, dryRun: boolean, style: Style): string => {
  const title = style.bold(file.path);
  if (file.error !== undefined) return `${title}\n  ${style.red('not usable')}: ${file.error}`;
  if (file.entries.length === 0) return `${title}\n  It names no servers.`;
  const width = Math.max(...file.entries.map(({ name }) => printableLine(name).length));
  const lines = file.entries.map(
    (entry) => `  ${printableLine(entry.name).padEnd(width)}  ${outcomeWords(entry, dryRun, style)}`,
  );
  return [title, ...lines].join('\n');
};
