import { at, type JsonObject, isObject, show } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable } from '../../model/finding.js';
import type { CallableTool } from '../../calls/tool.js';
import { describe } from '../../session/answer.js';
import { responsive } from '../instrument/exercise.js';
import { judgedList, NOTHING_SUCCESSFUL } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { refusedFor } from './mirrored-headers.js';
import { HTTP } from './raw.js';

const PAGE = 'basic/transports/streamable-http';
const modern = { ...HTTP, eras: ['modern'], level: 'MUST' } as const;
const NOT_DECLARED = notApplicable('No tool that may be called mirrors a parameter into a header.');

interface Mirrored {
  readonly tool: CallableTool;
  readonly args: JsonObject;
  readonly header: string;
  readonly value: unknown;
}

/** A property that is to be mirrored into a header, and where it stands. */
interface DeclaredHeader {
  readonly header: unknown;
  readonly schema: JsonObject;
  readonly path: readonly string[];
  /** Whether only `properties` lead to it. */
  readonly reachable: boolean;
}

const walk = (value: unknown, path: readonly string[], reachable: boolean): readonly DeclaredHeader[] => {
  if (Array.isArray(value)) return value.flatMap((item, index) => walk(item, [...path, String(index)], false));
  if (!isObject(value)) return [];
  const own = 'x-mcp-header' in value ? [{ header: value['x-mcp-header'], schema: value, path, reachable }] : [];
  const inner = Object.entries(value).flatMap(([key, part]) => {
    if (key === 'properties' && isObject(part)) {
      return Object.entries(part).flatMap(([name, property]) => walk(property, [...path, name], reachable));
    }
    return isObject(part) || Array.isArray(part) ? walk(part, [...path, key], false) : [];
  });
  return [...own, ...inner];
};

const declaredHeaders = (schema: unknown): readonly DeclaredHeader[] => walk(schema, [], true);

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;
const PRIMITIVE = new Set<unknown>(['string', 'integer', 'boolean']);

/** What is wrong with the headers that a schema declares. */
const headerFlaws = (schema: unknown): readonly string[] => {
  const declared = declaredHeaders(schema);
  const names = declared.map(({ header }) => String(header).toLowerCase());
  return declared.flatMap(({ header, schema: part, path, reachable }, index) => {
    const where = path.join('.');
    if (typeof header !== 'string' || !TOKEN.test(header)) return [`${where} has the header name ${show(header)}`];
    if (names.indexOf(header.toLowerCase()) !== index) return [`${where} has the same header name as another`];
    if (!PRIMITIVE.has(part['type'])) return [`${where} is of the type ${show(part['type'])}`];
    return reachable ? [] : [`${where} is not reached through properties only`];
  });
};

/** Parameters that are mirrored and have a value in the arguments at hand. */
const mirroredIn = (tool: CallableTool): readonly Mirrored[] =>
  tool.arguments.flatMap((args) =>
    declaredHeaders(tool.inputSchema).flatMap(({ header, path }) => {
      const value = at(args, ...path);
      return typeof header === 'string' && value !== undefined && value !== null
        ? [{ tool, args, header: `mcp-param-${header}`, value }]
        : [];
    }),
  );

export const parameterHeaderChecked = defineCheck({
  ...modern,
  id: 'HTP-37',
  title: 'an Mcp-Param header that is missing, different or undecodable is rejected with -32020',
  tier: 'standard',
  needs: 'tools',
  source: spec(
    '2026-07-28',
    `${PAGE}#server-behavior-for-custom-headers`,
    'Servers MUST reject requests with a 400 Bad Request HTTP status and JSON-RPC error code -32020 (HeaderMismatch) if any validation fails.',
  ),
  remedy: 'Compare each Mcp-Param header with the argument that it mirrors, after decoding, before you call the tool.',
  async run(probe) {
    const mirrored = (await responsive(probe)).flatMap(mirroredIn);
    if (mirrored.length === 0) return NOT_DECLARED;
    const judgedTools: string[] = [];
    for (const { tool, args, header, value } of mirrored) {
      const call = async (given: string | null) =>
        await probe.call(probe.session(), tool, args, { headers: { [header]: given } });
      // The control: the same call with the header that belongs to it.
      const proper = await probe.call(probe.session(), tool, args);
      if (proper.result === undefined) continue;
      judgedTools.push(`${tool.name}: ${header}`);
      const finding =
        refusedFor(`${tool.name} without ${header}`, await call(null)) ??
        refusedFor(
          `${tool.name} with another ${header}`,
          await call(typeof value === 'number' ? '987654' : 'plugboard-other'),
        ) ??
        refusedFor(`${tool.name} with an undecodable ${header}`, await call('=?base64?%%%?='));
      if (finding !== undefined) return finding;
      if (!Number.isInteger(value)) continue;
      const answer = await call(`${Number(value)}.0`);
      if (answer.error?.code === -32_020) {
        const detail = `${header}: ${Number(value)}.0 was treated as different from ${Number(value)}.`;
        return doubtful({ detail, expected: 'numbers compared as numbers', exchange: answer.exchange });
      }
    }
    return judgedTools.length === 0 ? NOTHING_SUCCESSFUL : holds(judgedTools.join(', '));
  },
});

export const unknownParameterHeader = defineCheck({
  ...modern,
  id: 'HTP-38',
  title: 'an Mcp-Param header that no tool declares is ignored',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    sentence: 'Other recipients SHOULD ignore unrecognized header and trailer fields.',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-5.1',
  },
  remedy: 'Read only the Mcp-Param headers that the schema of the called tool declares.',
  async run(probe) {
    const headers = { 'mcp-param-plugboard-unknown': 'anything' };
    const answer = await probe.session().request('server/discover', undefined, { headers });
    if (answer.result !== undefined) return holds();
    const detail = `It came back with ${describe(answer)}.`;
    return broken({ detail, expected: 'a result', exchange: answer.exchange });
  },
});

export const declarations = defineCheck({
  ...modern,
  id: 'HTP-39',
  title: 'parameters that are mirrored into headers are declared correctly',
  tier: 'standard',
  needs: 'tools',
  source: spec(
    '2026-07-28',
    `${PAGE}#schema-extension`,
    'MUST be case-insensitively unique among all x-mcp-header values in the inputSchema',
  ),
  remedy:
    'Give x-mcp-header only to strings, integers and booleans under properties, with unique names that are tokens.',
  async run(probe) {
    const tools = await probe.tools();
    const declared = tools.flatMap(({ inputSchema }) => declaredHeaders(inputSchema));
    if (declared.length === 0) return notApplicable('No tool declares x-mcp-header.');
    const flaws = tools.flatMap(({ name, inputSchema }) =>
      headerFlaws(inputSchema).map((flaw) => `In ${name}, ${flaw}.`),
    );
    const expected = 'unique tokens on strings, integers and booleans that are reached through properties only';
    return await judgedList(probe, 'tools/list', flaws, expected);
  },
});
