import { type AuditEntry, auditEntry } from '@plugboard/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DefinitionTools } from '../command/define.js';

interface AuditOptions {
  readonly kind?: AuditEntry['kind'];
  readonly since?: string;
  readonly limit?: number;
  readonly export?: boolean;
}

const parseLimit = (text: string): number => {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError('must be a whole number above 0.');
};

export const defineAuditCommand = ({ define, run }: DefinitionTools): void => {
  define('audit', 'show who did what, newest first')
    .addOption(
      new Option('--kind <kind>', 'only changes to the hub, or only tool calls').choices(auditEntry.shape.kind.options),
    )
    .option('--since <time>', 'only entries since this time, such as 2026-11-01T00:00:00Z')
    .option('--limit <number>', 'the maximum number of entries; default: 100', parseLimit)
    .option('--export', 'print every entry as one line of JSON')
    .action((options: AuditOptions, command: Command) =>
      run(command, () => import('./audit.js'), 'run', {
        kind: options.kind,
        since: options.since,
        limit: options.limit,
        export: options.export ?? false,
      }),
    );
};
