import type { ExitReport } from '../error/exit-report.js';

/** Where the life of a child is written down: its start, what it writes to stderr, its end. Secrets are redacted. */
export interface ChildJournal {
  started(pid: number): void;
  /** One line, without its end. */
  line(pid: number, text: string): void;
  ended(pid: number, report: ExitReport): void;
  /** There is no child: the program could not be started. */
  failed(reason: string): void;
}
