import { NoAnswer } from '../../connection/no-answer.js';
import { listeningPorts } from '../../detect/listening-ports.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck, HTTP_ONLY } from '../../model/check.js';
import { broken, holds, notApplicable, notVerified } from '../../model/finding.js';
import { initializeParams, requestMessage } from '../../session/envelope.js';
import { LATEST } from '../../session/revision.js';
import { isLoopback } from '../instrument/address.js';
import { firstRequest, isServed, statusOf, withoutCredentials } from '../authorization/anonymous.js';
import { bestPractice } from '../authorization/source.js';
import { inBoth } from '../instrument/in-both.js';
import { judged } from '../instrument/judge.js';
import { properRequest } from '../instrument/control-request.js';
import { looseLaunch } from './launch-words.js';
import { changesThings } from './tool-words.js';

const security = { family: 'security', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, tier: 'standard' } as const;

const AUTHENTICATED = inBoth(
  'basic/transports#security-warning',
  'Servers SHOULD implement proper authentication for all connections',
  'basic/transports/streamable-http#security-%26-endpoint',
);

export const notOpenToAll = defineCheck({
  ...security,
  transports: ['streamable-http', 'sse'],
  needs: 'tools',
  id: 'SEC-20',
  title: 'a server on the network that changes things requires authentication',
  level: 'SHOULD',
  source: AUTHENTICATED,
  remedy: 'Require a token before tools that change things are listed or called.',
  async run(probe) {
    if (isLoopback(new URL(probe.url ?? '').hostname)) return holds('The server is on this machine.');
    const reply = await firstRequest(probe, withoutCredentials(probe));
    if (!isServed(reply)) return holds();
    const changing = (await probe.tools()).filter(
      (tool) => tool.annotations['readOnlyHint'] !== true && changesThings(tool),
    );
    if (changing.length === 0) return holds('It needs no token, and none of its tools changes anything.');
    const detail = `Everybody may call ${changing
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ')}.`;
    return broken({ detail, expected: 'HTTP 401', exchange: reply.exchange });
  },
});

export const notInTheClear = defineCheck({
  ...security,
  transports: ['streamable-http', 'sse'],
  id: 'SEC-21',
  title: 'a remote server is reached over TLS',
  level: 'SHOULD',
  source: inBoth(
    'basic/authorization#communication-security',
    'All authorization server endpoints MUST be served over HTTPS.',
    'basic/authorization/security-considerations#communication-security',
  ),
  remedy: 'Serve https, and redirect or reject http.',
  async run(probe) {
    const { protocol, hostname } = new URL(probe.url ?? '');
    if (protocol === 'https:' || isLoopback(hostname)) return holds();
    return broken({ detail: `Traffic to ${protocol}//${hostname} can be read in transit.`, expected: 'https' });
  },
});

export const noSimpleRequests = defineCheck({
  ...security,
  transports: HTTP_ONLY,
  id: 'SEC-22',
  title: 'a form on a foreign web page cannot reach the server',
  level: 'SHOULD',
  source: {
    sentence: 'A page can send a POST with the type text/plain to any address without asking for permission first.',
    url: 'https://github.com/advisories/GHSA-w48q-cv73-mx4w',
  },
  remedy: 'Reject bodies that are not application/json with 415, and foreign origins with 403.',
  async run(probe) {
    const headers = { 'content-type': 'text/plain', origin: 'https://attacker.example' };
    const reply = await firstRequest(probe, headers);
    if (!isServed(reply)) return holds(`HTTP ${statusOf(reply)}.`);
    return broken({ detail: 'It was served.', expected: 'HTTP 415 or 403', exchange: reply.exchange });
  },
});

export const noFixation = defineCheck({
  ...security,
  transports: HTTP_ONLY,
  eras: ['legacy'],
  id: 'SEC-23',
  title: 'clients cannot choose the id of their session',
  level: 'SHOULD',
  source: bestPractice('session-hijacking', 'MCP servers MUST use secure, non-deterministic session IDs.'),
  remedy: 'Create a new id for each initialize, regardless of the request.',
  async run(probe) {
    const chosen = 'chosen-by-the-client-0123456789';
    const reply = await firstRequest(probe, { 'mcp-session-id': chosen });
    const given = reply.http?.headers['mcp-session-id'];
    if (given === undefined && isServed(reply)) return notApplicable('The server issues no session ids.');
    if (given !== chosen) return holds();
    return broken({
      detail: 'The id that the client sent became that of its session.',
      expected: 'another id',
      exchange: reply.exchange,
    });
  },
});

export const noOwnListener = defineCheck({
  ...security,
  transports: ['stdio'],
  id: 'SEC-27',
  title: 'a stdio server does not listen on any port',
  level: 'ADVICE',
  source: bestPractice(
    'local-mcp-server-compromise',
    'Local MCP servers are MCP Servers running on a user’s local machine, either by the user downloading and executing a server, authoring a server themselves, or installing through a client’s configuration flows.',
  ),
  remedy: 'Open no port, or only on demand, on the loopback address and with a secret.',
  async run(probe) {
    const lines = probe.spawn();
    const { pid } = lines.child;
    if (pid === undefined) return notApplicable('The server is not a process on this system.');
    const session = { era: probe.era, revision: LATEST[probe.era] } as const;
    const message =
      probe.era === 'legacy'
        ? requestMessage('first', 'initialize', initializeParams(session))
        : properRequest(session, 'first', 'server/discover');
    lines.write(`${JSON.stringify(message)}\n`);
    const answered = await probe
      .firstLine(lines, (line) => line)
      .catch((error: unknown) => {
        if (error instanceof NoAnswer) return undefined;
        throw error;
      });
    if (answered === undefined) return notVerified('The program did not answer.', 'a program that starts in time');
    const ports = await listeningPorts(pid);
    if (ports === undefined) return notVerified('This system does not show which process listens.', 'a run on Linux');
    return judged(
      ports.map((port) => ({ detail: `It listens on port ${port}.` })),
      'no port',
    );
  },
});

export const pinnedLaunch = defineCheck({
  ...security,
  transports: ['stdio'],
  id: 'SEC-28',
  title: 'the program is fetched in a fixed version',
  level: 'ADVICE',
  source: bestPractice(
    'local-mcp-server-compromise',
    'If an MCP client supports one-click local MCP server configuration, it MUST implement proper consent mechanisms prior to executing commands.',
  ),
  remedy: 'Name an exact version or a digest, so that everyone runs the same program.',
  async run(probe) {
    const loose = looseLaunch(probe.target.command ?? []);
    return loose === undefined ? holds() : broken({ detail: `${loose}.`, expected: 'an exact version' });
  },
});
