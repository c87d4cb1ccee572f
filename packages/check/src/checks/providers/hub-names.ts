import { MAX_NAME_LENGTH, sanitise } from '@plugboard/schema';
import { at } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck, type Check } from '../../model/check.js';
import type { Probe } from '../../probe/probe.js';
import { META } from '../../session/meta.js';
import { judgedList } from '../instrument/judge.js';

const SEPARATOR = '__';

const hosts = {
  family: 'providers',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  level: 'ADVICE',
  tier: 'standard',
  source: {
    sentence:
      'Rule of the referee: hosts that show several servers put the name of the server before that of the tool.',
    url: 'https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-names',
  },
} as const;

const serverName = (probe: Probe): string => {
  const { opening } = probe.session();
  const info = at(opening.result, 'serverInfo') ?? at(opening.result, '_meta', META.serverInfo);
  const name = probe.target.name ?? at(info, 'name');
  return sanitise(typeof name === 'string' ? name : '');
};

const prefixedNamesFit = defineCheck({
  ...hosts,
  id: 'HST-03',
  title: 'tool names still fit after the prefix with the name of the server',
  remedy: `Limit the names of server and tool to ${MAX_NAME_LENGTH - SEPARATOR.length} characters together.`,
  async run(probe) {
    const server = serverName(probe);
    const long = (await probe.tools())
      .map(({ name }) => `${server}${SEPARATOR}${sanitise(name)}`)
      .filter((name) => name.length > MAX_NAME_LENGTH);
    const details = long.map((name) => `${name} has ${name.length} characters and would be cut.`);
    return await judgedList(probe, 'tools/list', details, `at most ${MAX_NAME_LENGTH} characters`);
  },
});

const namesStayApart = defineCheck({
  ...hosts,
  id: 'HST-04',
  title: 'tool names stay unique when all characters except letters, digits, _ and - are removed',
  remedy: 'Choose names that differ in letters or digits.',
  async run(probe) {
    const seen = new Map<string, string>();
    const details = (await probe.tools()).flatMap(({ name }) => {
      const plain = sanitise(name);
      const other = seen.get(plain);
      seen.set(plain, other ?? name);
      return other === undefined || other === name ? [] : [`${other} and ${name} both become ${plain}.`];
    });
    return await judgedList(probe, 'tools/list', details, 'different names');
  },
});

export const hubNameChecks: readonly Check[] = [prefixedNamesFit, namesStayApart];
