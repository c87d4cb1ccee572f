import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, notVerified } from '../../model/finding.js';
import { readList, toListedTool } from '../../probe/lists.js';
import { describe } from '../../session/answer.js';
import { exercise, type Called } from '../instrument/exercise.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { AVAILABLE_TOOLS, ofHub, serversBehind, type Behind } from './behind.js';
import { ownerOf } from './union.js';

const DOWN = 'a server that is down (hub.servers, dead: true)';
const INVALID_PARAMS = -32_602;

/** A result that reports a failure is still the word of a server; arguments may be refused anywhere. */
const cameThrough = ({ answer }: Called): boolean =>
  answer !== undefined && (answer.result !== undefined || answer.error?.code === INVALID_PARAMS);

const uncalled = (live: readonly Behind[], servers: readonly Behind[], called: readonly Called[]): readonly Flaw[] =>
  live.flatMap((server) => {
    const own = called.filter(({ tool }) => ownerOf(tool.name, servers) === server);
    const [first] = own;
    if (first === undefined || own.some(cameThrough)) return [];
    const came = first.answer === undefined ? 'no answer' : describe(first.answer);
    return [{ detail: `${first.tool.name} came back with ${came}.`, exchange: first.answer?.exchange }];
  });

export const deadServerContained = defineCheck({
  family: 'hub',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  tier: 'standard',
  id: 'HUB-02',
  title: 'a server that is down affects neither the list of the aggregate nor other servers',
  level: 'MUST',
  legacyLevel: 'SHOULD',
  source: AVAILABLE_TOOLS,
  remedy: 'For a server that is down, omit its tools or list the last known ones, and return the rest.',
  run: ofHub(async (probe, hub) => {
    const servers = await serversBehind(probe, hub);
    const dead = servers.filter((server) => server.dead);
    if (dead.length === 0) {
      return notVerified('The target file declares no server as down.', DOWN);
    }
    const awake = dead.find(({ tools }) => tools !== undefined);
    if (awake !== undefined) {
      return notVerified(`The server behind ${awake.prefix} is declared as down, but answers.`, DOWN);
    }
    const session = await probe.open();
    const answer = await session.request('tools/list');
    if (answer.result === undefined) {
      const detail = `tools/list came back with ${describe(answer)}.`;
      return broken({ detail, expected: 'the tools of the servers that are up', exchange: answer.exchange });
    }
    const listed = (await readList(session, 'tools/list', 'tools')).map((tool) => toListedTool(tool).name);
    const live = servers.filter((server) => !server.dead);
    const absent = live
      .filter(({ tools = [] }) => tools.length > 0)
      .filter((server) => !listed.some((name) => ownerOf(name, servers) === server))
      .map(({ prefix }) => ({ detail: `Nothing behind ${prefix} is listed.`, exchange: answer.exchange }));
    const flaws = [...absent, ...uncalled(live, servers, await exercise(probe))];
    return judged(flaws, 'servers that are up, listed and answering');
  }),
});
