import type { AdaptedTool } from '../adapted-tool.js';
import { ASKS } from '../ask.js';
import { fail, type Finding, type LlmCheck, PASS } from '../probe/llm-check.js';
import type { LlmProbe } from '../probe/llm-probe.js';
import type { Exchange } from '../wire/send.js';

const askWith = (probe: LlmProbe, tools: readonly AdaptedTool[]): Promise<Exchange> =>
  probe.ask({ messages: ASKS.plain.messages, maxTokens: ASKS.plain.maxTokens, tools });

const refusal = (probe: LlmProbe, exchange: Exchange): Finding =>
  fail(
    `The provider refuses the tool: ${probe.dialect.errorOf(exchange.json)?.message ?? `status ${exchange.status}`}`,
    'status 200',
    exchange,
  );

/** Which of these tools the provider refuses. One refused tool fails the whole request, so halves are tried. */
const refused = async (probe: LlmProbe, tools: readonly AdaptedTool[]): Promise<ReadonlyMap<string, Finding>> => {
  if (tools.length === 0) return new Map();
  const exchange = await askWith(probe, tools);
  if (exchange.status === 200) return new Map();
  const [only] = tools;
  if (tools.length === 1 && only !== undefined) return new Map([[only.original, refusal(probe, exchange)]]);
  const middle = Math.ceil(tools.length / 2);
  return new Map([...(await refused(probe, tools.slice(0, middle))), ...(await refused(probe, tools.slice(middle)))]);
};

/** A check for each tool: does the provider itself accept it in its adapted form? */
export const acceptanceChecks = (tools: readonly AdaptedTool[]): readonly LlmCheck[] => {
  const verdicts = new WeakMap<LlmProbe, Promise<ReadonlyMap<string, Finding>>>();
  const verdictsOf = (probe: LlmProbe): Promise<ReadonlyMap<string, Finding>> => {
    const sent = tools.filter(({ rejection }) => rejection === undefined);
    const known = verdicts.get(probe) ?? refused(probe, sent);
    verdicts.set(probe, known);
    return known;
  };
  return tools.map(({ original, name, rejection }) => ({
    id: `LLM-70:${original}`,
    title: `The provider accepts the tool "${original}"${name === original ? '' : ` as "${name}"`}`,
    problem: `The provider refuses the tool "${original}"`,
    family: 'Tool calls',
    level: 'MUST',
    rule: 'Every tool of the server is accepted by the provider in its adapted form.',
    remedy: 'Look at `plugboard lint` for the profile of this provider, and simplify the schema of the tool.',
    judge: async (probe) =>
      rejection === undefined
        ? ((await verdictsOf(probe)).get(original) ?? PASS)
        : fail(`The tool cannot be adapted: ${rejection}`, 'a schema that can be adapted'),
  }));
};
