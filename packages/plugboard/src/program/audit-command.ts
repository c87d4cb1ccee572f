import { type AuditEntry, auditEntry } from '@plugboard/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DefinitionTools, lazily } from './define.js';

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

export const defineAuditCommand = ({ define, perform }: DefinitionTools): void => {
  define('audit', 'show who did what, the newest first')
    .addOption(
      new Option('--kind <kind>', 'changes of the hub, or calls of tools').choices(auditEntry.shape.kind.options),
    )
    .option('--since <time>', 'nothing older than this, such as 2026-11-01T00:00:00Z')
    .option('--limit <number>', 'how many at most; 100 when left out', parseLimit)
    .option('--export', 'every entry as one line of JSON')
    .action((options: AuditOptions, command: Command) =>
      lazily(perform, command, () => import('../command/audit.js'), {
        kind: options.kind,
        since: options.since,
        limit: options.limit,
        export: options.export ?? false,
      }),
    );
};
