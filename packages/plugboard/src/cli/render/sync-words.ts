import type { GradeReason, SyncReport } from '@plugboard/contract';
import { explainError } from '../../terminal/explain-error.js';
import { printableLine } from '../../terminal/printable.js';
import type { Output } from '../../terminal/output.js';
import { count, someOf } from '../../terminal/count.js';

const NAMES = 8;
const DETAILS = 10;

const reasonWords = (reasons: readonly GradeReason[]): string =>
  reasons
    .slice(0, 2)
    .map(({ message, pointer }) => printableLine(pointer === '' ? message : `${message} (at ${pointer})`))
    .join('; ');

const named = (names: readonly string[]): string => someOf(names.map(printableLine), NAMES);

const listed = (lines: readonly string[]): readonly string[] =>
  lines.length <= DETAILS ? lines : [...lines.slice(0, DETAILS), `    and ${lines.length - DETAILS} more`];

/** What became of the tools of a server, in lines that are indented under its name. */
export const syncWords = (report: SyncReport, { style, width }: Pick<Output, 'style' | 'width'>): readonly string[] => {
  const { added, updated, deleted, skipped, quarantined = [], repaired, failed } = report;
  const changes = [
    ...(added.length === 0 ? [] : [`  ${style.green('added')}    ${named(added)}`]),
    ...(updated.length === 0 ? [] : [`  ${style.yellow('changed')}  ${named(updated)}`]),
    ...(deleted.length === 0 ? [] : [`  ${style.red('gone')}     ${named(deleted)}`]),
    ...(skipped.length === 0
      ? []
      : [`  ${style.yellow('skipped')}  ${count(skipped.length, 'tool')} that no model could use as defined:`]),
    ...listed(skipped.map(({ name, reasons }) => `    ${printableLine(name)}: ${reasonWords(reasons)}`)),
    ...(quarantined.length === 0
      ? []
      : [
          `  ${style.yellow('held')}     ${count(quarantined.length, 'tool')} changed and kept from agents until you approve:`,
        ]),
    ...listed(
      quarantined.map(
        ({ name, changes }) => `    ${printableLine(name)}: ${printableLine(changes[0]?.sentence ?? '')}`,
      ),
    ),
    ...(repaired.length === 0
      ? []
      : [`  ${style.yellow('repaired')}   ${count(repaired.length, 'tool')} whose definition breaks the protocol:`]),
    ...listed(repaired.map(({ name, reasons }) => `    ${printableLine(name)}: ${reasonWords(reasons)}`)),
    ...(failed.length === 0 ? [] : [`  ${style.red('failed')}   ${count(failed.length, 'tool')} could not be stored:`]),
    ...listed(failed.map(({ name, error }) => `    ${printableLine(name)}: ${printableLine(error.message)}`)),
  ];
  return report.error === undefined
    ? changes
    : [
        ...explainError(report.error, style, width === undefined ? undefined : width - 2)
          .split('\n')
          .map((line) => `  ${line}`),
        ...changes,
      ];
};

/** `14 tools, nothing changed`, for the line with the server's name. */
export const syncSummary = (report: SyncReport): string => {
  if (report.error !== undefined) return 'the tools could not be read';
  const changed = report.added.length + report.updated.length + report.deleted.length;
  const would = report.dry_run ? 'would change' : 'changed';
  return `${count(report.total, 'tool')}, ${changed === 0 ? `nothing ${would}` : `${changed} ${would}`}`;
};
