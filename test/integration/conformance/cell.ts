import type { Eras } from '@plugboard/testing';
import type { UpstreamTransport } from './fixture-upstream.js';
import type { Revision } from './run-suite.js';

/** `sdk`: made with the official SDK, as the official fixture is. `own`: the fixture of `@plugboard/testing`. */
export type Fixture = 'sdk' | 'own';

/** One way through the hub: what the client speaks, what the server speaks, and over what. */
export interface Cell {
  readonly fixture: Fixture;
  readonly revision: Revision;
  readonly eras: Eras;
  readonly transport: UpstreamTransport;
}

export type Upstream = Pick<Cell, 'eras' | 'transport'>;

/** Every kind of server; HTTP+SSE exists in the legacy era only. */
export const ALL_UPSTREAMS: readonly Upstream[] = [
  { eras: 'legacy', transport: 'http' },
  { eras: 'legacy', transport: 'stdio' },
  { eras: 'legacy', transport: 'sse' },
  { eras: 'modern', transport: 'http' },
  { eras: 'modern', transport: 'stdio' },
  { eras: 'both', transport: 'http' },
  { eras: 'both', transport: 'stdio' },
];

const TRANSPORT_NAMES = { http: 'HTTP', stdio: 'stdio', sse: 'SSE' } as const;

/** How the tables call it. */
export const nameOf = ({ eras, transport }: Upstream): string => `${eras}, ${TRANSPORT_NAMES[transport]}`;

/** The run without a hub that every other is held against: the suite speaks HTTP only. */
export const DIRECT = 'direct';
