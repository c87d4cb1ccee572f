import { type ChildJournal, describeExit, errorLine } from '@plugboard/client';
import type { PlugboardError, Server, ServerProtocol } from '@plugboard/contract';
import type { Registry } from '@plugboard/registry';
import type { Logger } from '../../log/logger.js';

const LAST_LINES = 20;

/** Writes down the life of each server's programs and connections, for `plugboard logs`. */
export class ServerJournals {
  readonly #logs: () => Pick<Registry['logs'], 'note'>;
  readonly #log: Pick<Logger, 'debug'>;

  constructor(logs: () => Pick<Registry['logs'], 'note'>, log: Pick<Logger, 'debug'>) {
    this.#logs = logs;
    this.#log = log;
  }

  journalFor({ id: serverId, server_name: server }: Server): ChildJournal {
    return {
      started: (pid) => {
        this.#log.debug?.('Program started.', { server, pid });
        this.#logs().note({ serverId, kind: 'started', pid, text: 'The program was started.' });
      },
      line: (pid, text) => this.#logs().note({ serverId, kind: 'output', pid, text }),
      ended: (pid, report) => {
        const { code, signal, reason } = report;
        this.#log.debug?.('Program ended.', { server, pid, code, signal, reason });
        this.#logs().note({
          serverId,
          kind: 'exited',
          pid,
          text: `The program ${describeExit(report)}.`,
          exit: {
            code: report.code,
            signal: report.signal,
            reason: report.reason,
            error: errorLine(report.stderrTail) ?? null,
            last_lines: report.stderrTail.slice(-LAST_LINES),
          },
        });
      },
      failed: (reason) => {
        this.#log.debug?.('Program not started.', { server });
        this.#logs().note({ serverId, kind: 'not_started', text: reason });
      },
    };
  }

  opened({ id: serverId }: Server, { revision, era, transport }: ServerProtocol): void {
    const text = `A session was opened: ${revision} (${era}) over ${transport}.`;
    this.#logs().note({ serverId, kind: 'connected', text });
  }

  lost({ id: serverId }: Server, { code, message }: PlugboardError): void {
    this.#logs().note({ serverId, kind: 'disconnected', text: `The session was lost: ${message} (${code})` });
  }
}
