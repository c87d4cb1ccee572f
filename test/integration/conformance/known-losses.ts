import type { Eras } from '@plugboard/testing';
import type { Cell, Fixture } from './cell.js';
import type { Revision } from './run-suite.js';

/** Checks that a server passes without the hub and not through it, and why that is right. */
export interface KnownLoss {
  readonly checks: RegExp;
  readonly reason: string;
  readonly revision: Revision;
  /** Every fixture, era and transport when left out. */
  readonly fixture?: Fixture;
  readonly eras?: readonly Eras[];
  readonly transports?: readonly Cell['transport'][];
}

export const KNOWN_LOSSES: readonly KnownLoss[] = [
  {
    revision: '2025-11-25',
    checks: /^server-sse-multiple-streams\/server-sse-streams-functional$/u,
    reason:
      'The hub answers `tools/list` with JSON, which the protocol allows. The suite then has no stream to judge and reports INFO.',
  },
  {
    revision: '2025-11-25',
    checks: /^server-sse-polling\//u,
    eras: ['modern'],
    reason: 'Not required. The modern era has no streams that are resumed, so there is none to break.',
  },
  {
    revision: '2025-11-25',
    checks: /^server-sse-polling\//u,
    transports: ['stdio', 'sse'],
    reason: 'Not required. A server on a pipe or on HTTP+SSE has no stream per request that it could close.',
  },
  {
    revision: '2025-11-25',
    checks: /^server-sse-polling\//u,
    reason:
      'Not required. The server closes the stream in the middle of a call so that the client comes back for the result. The hub comes back for it, and its client gets the result as the answer to its request.',
  },
  {
    revision: '2025-11-25',
    fixture: 'sdk',
    eras: ['modern'],
    checks: /^(?:tools-call-(?:elicitation|sampling)|elicitation-sep1034-defaults|elicitation-sep1330-enums)\//u,
    reason:
      'These tools send a request in the middle of a call. The modern era has no such requests, so a modern-only server of the SDK cannot ask any client this way.',
  },
  {
    revision: '2026-07-28',
    eras: ['legacy'],
    checks: /^input-required-result-(?:basic-elicitation|ignore-extra-params)\//u,
    reason:
      'The scenario expects the question under the name that the modern server gives it. The legacy era has no names for questions; the hub calls them `input-1`, `input-2`.',
  },
  {
    revision: '2026-07-28',
    fixture: 'sdk',
    eras: ['legacy'],
    checks: /^input-required-result-capability-check\//u,
    reason:
      'The tool asks only for what the request declares, and looks for that in the metadata of a modern request. A legacy-only server gets none and asks nothing.',
  },
  {
    revision: '2026-07-28',
    fixture: 'own',
    eras: ['legacy'],
    checks: /^tasks-/u,
    reason: 'Tasks of 2026-07-28 are an extension. As a legacy-only server the fixture has none to pass on.',
  },
];

/** The reasons for what a cell lost; undefined for what has none. */
export const reasonFor = (cell: Cell, check: string): string | undefined =>
  KNOWN_LOSSES.find(
    ({ revision, fixture, eras, transports, checks }) =>
      revision === cell.revision &&
      (fixture === undefined || fixture === cell.fixture) &&
      (eras === undefined || eras.includes(cell.eras)) &&
      (transports === undefined || transports.includes(cell.transport)) &&
      checks.test(check),
  )?.reason;
