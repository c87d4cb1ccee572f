import { defineCheck } from '../../model/check.js';
import { broken, holds, notVerified, type Finding } from '../../model/finding.js';
import { describe, type Answer } from '../../session/answer.js';
import { spec } from '../instrument/spec.js';
import { namedRequests } from './named-requests.js';
import { HTTP } from './raw.js';

const PAGE = 'basic/transports/streamable-http';
const modern = { ...HTTP, eras: ['modern'], level: 'MUST' } as const;
const EXPECTED = 'HTTP 400, error -32020';
const NOTHING_NAMED = notVerified(
  'No resource, prompt or tool that may be used returns a result.',
  'a tool that may be called and works: --allow name',
);

export const isMismatch = ({ http, error }: Answer): boolean => http?.status === 400 && error?.code === -32_020;

/** Holds when the request was refused for its headers. */
export const refusedFor = (what: string, answer: Answer): Finding | undefined =>
  isMismatch(answer)
    ? undefined
    : broken({ detail: `${what} came back with ${describe(answer)}.`, expected: EXPECTED, exchange: answer.exchange });

export const methodHeaderMissing = defineCheck({
  ...modern,
  id: 'HTP-31',
  title: 'a request without Mcp-Method is rejected with -32020',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    `${PAGE}#server-validation`,
    'When rejecting a request due to header validation failure, servers MUST return HTTP status 400 Bad Request and MUST include a JSON-RPC error response using the following error code',
  ),
  remedy: 'Require Mcp-Method on every POST. If it is missing, answer with 400 and -32020.',
  async run(probe) {
    const answer = await probe.session().request('server/discover', undefined, { headers: { 'mcp-method': null } });
    return refusedFor('A request without Mcp-Method', answer) ?? holds();
  },
});

export const methodHeaderDiffers = defineCheck({
  ...modern,
  id: 'HTP-32',
  title: 'an Mcp-Method that differs from the method of the body is rejected with -32020',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    `${PAGE}#server-validation`,
    'Servers that process the request body MUST reject requests where the values specified in the headers do not match the corresponding values in the request body.',
  ),
  remedy: 'Compare Mcp-Method with the method of the body. If they differ, answer with 400 and -32020.',
  async run(probe) {
    const headers = { 'mcp-method': 'tools/call' };
    const answer = await probe.session().request('server/discover', undefined, { headers });
    return refusedFor('Mcp-Method: tools/call on server/discover', answer) ?? holds();
  },
});

export const nameHeader = defineCheck({
  ...modern,
  id: 'HTP-33',
  title: 'an Mcp-Name that is missing or differs from the body is rejected with -32020',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#server-validation`,
    'When rejecting a request due to header validation failure, servers MUST return HTTP status 400 Bad Request and MUST include a JSON-RPC error response […] A required standard header (MCP-Protocol-Version, Mcp-Method, Mcp-Name) is missing.',
  ),
  remedy: 'Compare Mcp-Name with params.name or params.uri of tools/call, prompts/get and resources/read.',
  async run(probe) {
    const requests = await namedRequests(probe);
    if (requests.length === 0) return NOTHING_NAMED;
    for (const { method, send } of requests) {
      const finding =
        refusedFor(`${method} without Mcp-Name`, await send({ 'mcp-name': null })) ??
        refusedFor(`${method} with another Mcp-Name`, await send({ 'mcp-name': 'plugboard-another-name' }));
      if (finding !== undefined) return finding;
    }
    return holds(requests.map(({ method }) => method).join(', '));
  },
});

export const headerCase = defineCheck({
  ...modern,
  id: 'HTP-35',
  title: 'header names are case-insensitive, header values are case-sensitive',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#case-sensitivity`,
    'Clients and servers MUST use case-insensitive comparisons for header names. Header values (such as method names) are case-sensitive.',
  ),
  remedy: 'Let your HTTP library look up headers, and compare their values exactly.',
  async run(probe) {
    const session = probe.session();
    const loud = await session.request('server/discover', undefined, {
      headers: { 'MCP-METHOD': 'server/discover', 'mCp-PrOtOcOl-VeRsIoN': session.revision },
    });
    if (loud.result === undefined) {
      const detail = `Header names in another case came back with ${describe(loud)}.`;
      return broken({ detail, expected: 'a result', exchange: loud.exchange });
    }
    const headers = { 'mcp-method': 'SERVER/DISCOVER' };
    const answer = await session.request('server/discover', undefined, { headers });
    return refusedFor('Mcp-Method: SERVER/DISCOVER', answer) ?? holds();
  },
});

const encoded = (value: string): string => `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;

export const encodedName = defineCheck({
  ...modern,
  id: 'HTP-36',
  title: 'an Mcp-Name in base64 is decoded before it is compared',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#value-encoding`,
    'In particular, servers MUST decode an encoded Mcp-Name or Mcp-Param-{Name} value before comparing it to the corresponding request body value during Server Validation.',
  ),
  remedy: 'Decode values of the form =?base64?…?= before you compare them.',
  async run(probe) {
    const requests = await namedRequests(probe);
    if (requests.length === 0) return NOTHING_NAMED;
    for (const { method, name, send } of requests) {
      const answer = await send({ 'mcp-name': encoded(name) });
      if (answer.error?.code === -32_020 || answer.response === undefined) {
        const detail = `${method} with Mcp-Name ${encoded(name)} came back with ${describe(answer)}.`;
        return broken({ detail, expected: `what ${name} gives`, exchange: answer.exchange });
      }
      const finding = refusedFor(
        `${method} with the base64 of another name`,
        await send({ 'mcp-name': encoded(`${name}-not`) }),
      );
      if (finding !== undefined) return finding;
    }
    return holds();
  },
});
