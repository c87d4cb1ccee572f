import type { CheckHub } from '@plugboard/contract';
import { MAX_NAME_LENGTH } from '@plugboard/schema';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { doubtful, holds, notApplicable, notVerified } from '../../model/finding.js';
import { readWholeList, toListedTool } from '../../probe/lists.js';
import type { Probe } from '../../probe/probe.js';
import type { Session } from '../../session/session.js';
import { inBoth } from '../instrument/in-both.js';
import { judgedList } from '../instrument/judge.js';
import { AVAILABLE_TOOLS, ofHub, serversBehind, type Behind } from './behind.js';
import { differencesFromUnion, isTaken } from './union.js';

const hub = { family: 'hub', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'tools', tier: 'standard' } as const;

const namesIn = async (session: Session): Promise<readonly string[]> =>
  (await readWholeList(session, 'tools/list', 'tools')).map((tool) => toListedTool(tool).name);

interface Readings {
  readonly servers: readonly Behind[];
  /** The names of the last reading. */
  readonly names: readonly string[];
  /** Whether every reading gave the same names in the same order. */
  readonly isSteady: boolean;
  readonly differences: readonly string[];
}

/**
 * The list as two conversations see it, with the lists behind it read in between. The first conversation reads it twice: two
 * processes that both change the order with each reading agree on their first one.
 */
const readings = async (probe: Probe, target: CheckHub): Promise<Readings> => {
  const first = await namesIn(probe.session());
  const servers = await serversBehind(probe, target);
  const again = await namesIn(probe.session());
  const second = await namesIn(await probe.open());
  const all = [first, again, second];
  const differences = [...new Set(all.flatMap((names) => differencesFromUnion(names, servers)))];
  const isSteady = new Set(all.map((names) => names.join('\n'))).size === 1;
  return { servers, names: second, isSteady, differences };
};

export const unionOfServers = defineCheck({
  ...hub,
  id: 'HUB-01',
  inSequence: true,
  title: 'an aggregate lists the tools of all its servers, under their prefixes, to every client',
  level: 'MUST',
  legacyLevel: 'SHOULD',
  source: AVAILABLE_TOOLS,
  alone: true,
  remedy: 'Build the list from the lists of all servers, in a fixed order, with a prefix that is configured.',
  run: ofHub(async (probe, target) => {
    const before = await readings(probe, target);
    // A server may have changed its tools just then.
    const now = before.differences.length === 0 ? before : await readings(probe, target);
    const { servers, names, isSteady, differences } = now;
    if (differences.length > 0) {
      return await judgedList(probe, 'tools/list', differences, 'every tool of every server, once');
    }
    if (before !== now || !isSteady) {
      const { exchange } = await probe.session().request('tools/list');
      const detail = ['Two readings of the list differ.', ...before.differences].join(' ');
      return doubtful({ detail, expected: 'the same names in the same order', exchange });
    }
    const known = servers.filter(({ dead, tools }) => !dead && tools !== undefined);
    const unasked = servers.filter(({ dead, tools }) => !dead && tools === undefined);
    const why = unasked.map((one) => `${one.prefix}: ${one.why ?? ''}`).join('; ');
    if (unasked.length > 0) {
      return notVerified(`Not every server could be asked. ${why}`, 'a url that answers, or tools, in hub.servers');
    }
    return known.length === 0
      ? notVerified('Every server is declared as down.', 'servers that are up (hub.servers)')
      : holds(`${names.length} tools of ${known.length} servers.`);
  }),
});

export const namesTaken = defineCheck({
  ...hub,
  id: 'HUB-11',
  title: `tool names of an aggregate are unique, consist of letters, digits, _ and -, and have at most ${MAX_NAME_LENGTH} characters`,
  level: 'SHOULD',
  source: inBoth('server/tools#tool-names', 'Tool names SHOULD be unique within a server.'),
  remedy: 'Shorten long names and replace characters that providers reject, so that names stay unique and stable.',
  run: ofHub(async (probe) => {
    const names = (await probe.tools()).map(({ name }) => name);
    if (names.length === 0) return notApplicable('No tools are listed.');
    const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    const details = [
      ...[...twice].map((name) => `${name} stands for several tools.`),
      ...names.filter((name) => !isTaken(name)).map((name) => `${name} (${name.length} characters) is refused.`),
    ];
    return await judgedList(probe, 'tools/list', details, 'names that every provider accepts');
  }),
});
