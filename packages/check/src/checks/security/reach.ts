import { openCanary, type Canary } from '../../connection/canary.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { inject, PATH_LIKE, textParameters, URL_LIKE, type Payload } from './injection.js';
import { judged } from '../instrument/judge.js';
import { isLoopback } from '../instrument/address.js';
import { bestPractice } from '../authorization/source.js';

const security = { family: 'security', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'tools' } as const;

/** Every way to write the address of a listener on this machine. */
const luresTo = (port: number, redirectPort: number): readonly string[] => [
  `http://127.0.0.1:${port}/canary`,
  `http://localhost:${port}/canary`,
  `http://[::ffff:127.0.0.1]:${port}/canary`,
  `http://2130706433:${port}/canary`,
  `http://0x7f000001:${port}/canary`,
  `http://127.1:${port}/canary`,
  `http://0.0.0.0:${port}/canary`,
  `http://example.com@127.0.0.1:${port}/canary`,
  `http://127.0.0.1:${redirectPort}/redirect`,
];

/** Whether the server is where our listener is: elsewhere it could not reach it. */
const isHere = ({ url }: Probe): boolean => url === undefined || isLoopback(new URL(url).hostname);

const lured = async (probe: Probe, canary: Canary, redirecting: Canary): Promise<Finding> => {
  const parameters = await textParameters(probe, URL_LIKE);
  if (parameters.length === 0) {
    return notVerified('No tool with a URL parameter may be called.', 'a tool that takes a URL: --allow name');
  }
  const session = await probe.open();
  let before = 0;
  const gives: Payload['gives'] = () => {
    const hits = canary.hits.length + redirecting.hits.length;
    const called = hits > before;
    before = hits;
    return called ? 'the listener on this machine was called' : undefined;
  };
  const payloads = luresTo(canary.port, redirecting.port).map((value) => ({ value, gives }));
  const flaws = await inject(probe, { session, parameters, payloads });
  await session.settle();
  const late = gives('', undefined);
  return judged(
    [...flaws, ...(late === undefined ? [] : [{ detail: `After a while ${late}.` }])],
    'no connection to this machine',
  );
};

export const noForgedRequests = defineCheck({
  ...security,
  id: 'SEC-02',
  title: 'no URL makes the server call a listener on its own machine',
  level: 'SHOULD',
  tier: 'full',
  source: bestPractice(
    'server-side-request-forgery-ssrf',
    'Server-Side Request Forgery (SSRF) is an attack where an attacker can induce an MCP client to make HTTP requests to unintended destinations, potentially accessing internal network resources, cloud metadata endpoints, or other protected services.',
  ),
  remedy:
    'Resolve the name, reject private and local addresses after each redirect, and connect to the resolved address.',
  async run(probe) {
    if (!isHere(probe)) {
      return notVerified(
        'The server is on another machine, which cannot reach a listener of ours.',
        'a run on the machine of the server',
      );
    }
    const canary = await openCanary();
    const redirecting = await openCanary(`http://127.0.0.1:${canary.port}/canary`);
    try {
      return await lured(probe, canary, redirecting);
    } finally {
      await Promise.all([canary.close(), redirecting.close()]);
    }
  },
});

const USERS = /^root:[^:\n]*:0:0:/mu;

/** Paths as arguments of tools that lead out of what is offered. */
export const climbingArguments = async (probe: Probe): Promise<Finding | undefined> => {
  const parameters = await textParameters(probe, PATH_LIKE);
  if (parameters.length === 0) return undefined;
  const session = await probe.open();
  const climbs = [
    '../../../../../../../../etc/passwd',
    '..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
    '....//....//....//....//etc/passwd',
  ];
  const gives: Payload['gives'] = (said) => (USERS.test(said) ? 'the list of users' : undefined);
  const payloads = climbs.map((value) => ({ value, gives }));
  return judged(await inject(probe, { session, parameters, payloads }), 'a refusal');
};
