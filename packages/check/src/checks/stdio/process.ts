import { pause } from '../../connection/deadline.js';
import { BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { plainMethod } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';
import { converse } from './conversation.js';

const family = { family: 'stdio', eras: BOTH_ERAS, transports: ['stdio'] } as const;
const MAX_EXIT_MS = 5_000;

/** How long a process may take to end. */
const exitMs = ({ target }: Probe): number => Math.min(MAX_EXIT_MS, target.budgets.requestMs);

export const endsWithInput = defineCheck({
  ...family,
  id: 'STD-10',
  title: 'the process exits with code 0 when its input ends',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/lifecycle#stdio',
      'First, closing the input stream to the child process (the server)',
    ),
    modern: spec(
      '2026-07-28',
      'basic/transports/stdio#shutdown',
      'Servers SHOULD exit promptly when their standard input is closed or reads return end-of-file.',
    ),
  },
  remedy: 'Stop timers, close connections and exit with 0 when stdin ends.',
  async run(probe) {
    const { lines, exchange } = await converse(probe);
    lines.end();
    const exit = await lines.exitsWithin(exitMs(probe));
    const expected = `exit code 0 within ${exitMs(probe)} ms`;
    if (exit === undefined) {
      return broken({
        detail: 'The process is still running after its input ended.',
        expected,
        exchange: exchange(''),
      });
    }
    if (exit.code !== 0) {
      return broken({ detail: `The process exited with code ${exit.code}.`, expected, exchange: exchange('') });
    }
    return holds();
  },
});

export const endsBySignal = defineCheck({
  ...family,
  id: 'STD-11',
  title: 'SIGTERM ends the process',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/lifecycle#stdio',
      'Waiting for the server to exit, or sending SIGTERM if the server does not exit within a reasonable time',
    ),
    modern: spec(
      '2026-07-28',
      'basic/transports/stdio#shutdown',
      'On POSIX systems, forced termination typically escalates from SIGTERM to SIGKILL.',
    ),
  },
  remedy: 'Do not ignore SIGTERM: finish what is necessary and exit.',
  async run(probe) {
    const { lines, exchange } = await converse(probe);
    lines.child.kill('SIGTERM');
    if ((await lines.exitsWithin(exitMs(probe))) !== undefined) return holds();
    return broken({
      detail: 'The process is still running after SIGTERM.',
      expected: `the end of the process within ${exitMs(probe)} ms`,
      exchange: exchange(''),
    });
  },
});

export const sideBySide = defineCheck({
  ...family,
  id: 'STD-13',
  title: 'two concurrent processes do not interfere with each other',
  level: 'ADVICE',
  tier: 'full',
  source: {
    legacy: spec('2025-11-25', 'basic/transports#stdio', 'The client launches the MCP server as a subprocess.'),
    modern: spec(
      '2026-07-28',
      'basic/transports/stdio',
      'In the stdio transport, the client launches the MCP server as a subprocess.',
    ),
  },
  remedy:
    'Do not use a fixed port or a lock file with a fixed name: several clients can start the server at the same time.',
  async run(probe) {
    const [one, two] = await Promise.all([converse(probe), converse(probe)]);
    for (const talk of [one, two, one]) {
      const answer = await talk.ask(`side-${talk === one ? 1 : 2}`, plainMethod(probe.era));
      if (answer !== undefined && 'result' in answer) continue;
      return broken({
        detail: 'With two processes running, one of them did not answer.',
        expected: 'a result from both',
        exchange: talk.exchange(talk.plainLine('side')),
      });
    }
    return holds();
  },
});

const BURST = 100;

export const backpressure = defineCheck({
  ...family,
  id: 'STD-16',
  demandsAnswer: true,
  title: 'nothing is lost while the client does not read',
  level: 'ADVICE',
  tier: 'full',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/transports#stdio',
      'The server reads JSON-RPC messages from its standard input (stdin) and sends messages to its standard output (stdout).',
    ),
    modern: spec(
      '2026-07-28',
      'basic/transports/stdio',
      'The server reads JSON-RPC messages from stdin and writes JSON-RPC messages to stdout.',
    ),
  },
  remedy: 'Wait until stdout drains, or queue messages; do not drop what cannot be written immediately.',
  async run(probe) {
    const talk = await converse(probe);
    const ids = Array.from({ length: BURST }, (_, index) => `burst-${index}`);
    talk.lines.child.stdout.pause();
    for (const id of ids) talk.lines.writeLine(talk.plainLine(id));
    await pause(probe.target.budgets.quietMs, probe.signal);
    talk.lines.child.stdout.resume();
    for (const id of ids) {
      if ((await talk.answerTo(id)) !== undefined) continue;
      return broken({
        detail: `The answer to ${id} never arrived.`,
        expected: `${BURST} answers`,
        exchange: talk.exchange(talk.plainLine(id)),
      });
    }
    return holds();
  },
});
