import { auditEntry } from '@plugboard/contract';
import { type Command, Option } from 'commander';
import type { AuditInput } from './audit.js';
import type { DefinitionTools } from '../command/define.js';
import { parseCount } from '../command/parse-number.js';

export const defineAuditCommand = ({ define, run }: DefinitionTools): void => {
  define('audit', 'show who did what, newest first')
    .addOption(
      new Option('--kind <kind>', 'only changes to the hub, or only tool calls').choices(auditEntry.shape.kind.options),
    )
    .option('--since <time>', 'only entries since this time, such as 2026-11-01T00:00:00Z')
    .option('--limit <number>', 'the maximum number of entries; default: 100', parseCount)
    .option('--export', 'print every entry as one line of JSON')
    .action((options: Partial<AuditInput>, command: Command) =>
      run(command, () => import('./audit.js'), 'run', { export: false, ...options }),
    );
};
