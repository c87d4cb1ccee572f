import { at, isObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { holds } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { agreeable } from '../instrument/interview.js';
import { judged } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

/** What a server uses that is to be removed, and what to use in its place. */
const usedBy = async (probe: Probe): Promise<readonly string[]> => {
  const asked = new Set((await agreeable(probe)).flatMap(({ questions }) => questions.map(({ method }) => method)));
  return [
    ...(probe.transport === 'sse' ? ['HTTP+SSE (use Streamable HTTP)'] : []),
    ...(isObject(at(probe.session().capabilities, 'logging')) ? ['logging (use stderr or OpenTelemetry)'] : []),
    ...(asked.has('roots/list') ? ['roots (use parameters or configuration)'] : []),
    ...(asked.has('sampling/createMessage') ? ['sampling (ask a provider directly)'] : []),
  ];
};

export const nothingDeprecated = defineCheck({
  family: 'lint',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  id: 'LNT-18',
  title: 'sampling requests no server context; other deprecated features are listed',
  level: 'ADVICE',
  tier: 'full',
  source: spec(
    '2026-07-28',
    'deprecated',
    'A Deprecated feature remains part of the specification but is scheduled for removal: new implementations SHOULD NOT adopt it, and existing implementations SHOULD migrate before the feature’s earliest removal.',
  ),
  remedy: 'Remove includeContext, and plan to replace the features that the detail names.',
  async run(probe) {
    const interviews = await agreeable(probe);
    const flaws = interviews.flatMap(({ tool, questions, answer }) =>
      questions
        .filter(({ params }) => ['thisServer', 'allServers'].includes(String(params['includeContext'])))
        .map(({ params }) => ({
          detail: `${tool.name} asks with includeContext: ${String(params['includeContext'])}.`,
          exchange: answer?.exchange,
        })),
    );
    if (flaws.length > 0) return judged(flaws, 'sampling without includeContext');
    const used = await usedBy(probe);
    return holds(used.length === 0 ? undefined : `Deprecated since 2026-07-28 or earlier: ${used.join(', ')}.`);
  },
});
