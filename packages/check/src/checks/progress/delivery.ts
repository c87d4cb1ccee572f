import { isObject, tryJson, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { HttpSession } from '../../session/http-session.js';
import type { Session } from '../../session/session.js';
import { properRequest } from '../instrument/control-request.js';
import { waiting } from '../instrument/slow-call.js';
import { spec } from '../instrument/spec.js';
import { tokenOf, withTokens } from './collect.js';

/** One per era, for both are examined at the same time. */
const tokenFor = ({ era }: Pick<Session, 'era'>): string => `delivered-${era}`;
const STEP_MS = 120;
/** Shorter calls tell nothing about when something came. */
const LEAST_MS = 200;
/** What comes within this time of each other came together. */
const TOGETHER_MS = 60;

interface Moments {
  /** When the first report came, in milliseconds since the call; undefined when none came. */
  readonly first: number | undefined;
  readonly end: number;
}

const isReport = (message: unknown, token: string): boolean =>
  isObject(message) && message['method'] === 'notifications/progress' && tokenOf(message) === token;

const overHttp = async (probe: Probe, session: HttpSession, params: JsonObject): Promise<Moments> => {
  const token = tokenFor(session);
  const message = properRequest(session, token, 'tools/call', params);
  const started = performance.now();
  const stream = await probe.stream({ headers: session.headersFor(message), body: JSON.stringify(message) });
  const deadline = { ms: probe.target.budgets.requestMs, what: 'answer', signal: probe.signal };
  let first: number | undefined;
  await stream.events
    .until(
      ({ data }) => {
        const came = tryJson(data);
        if (isReport(came, token)) first ??= performance.now() - started;
        return isObject(came) && came['id'] === token ? came : undefined;
      },
      0,
      deadline,
    )
    .catch(() => undefined);
  return { first, end: performance.now() - started };
};

const overChannel = async (probe: Probe, session: Session, params: JsonObject): Promise<Moments> => {
  const started = performance.now();
  let first: number | undefined;
  const watch = async (): Promise<void> => {
    const { requestMs } = probe.target.budgets;
    const report = await session.waitFor((message) => isReport(message, tokenFor(session)), requestMs);
    if (report !== undefined) first = performance.now() - started;
  };
  const seen = watch();
  await session.request('tools/call', params, { id: tokenFor(session) });
  const end = performance.now() - started;
  await Promise.race([seen, session.settle()]);
  return { first, end };
};

export const deliveredAtOnce = defineCheck({
  family: 'progress',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  id: 'PRG-06',
  title: 'progress arrives while the call is running, not with its answer',
  level: 'ADVICE',
  tier: 'full',
  source: spec(
    '2026-07-28',
    'basic/transports/streamable-http',
    'This instructs reverse proxies (such as nginx) to disable response buffering, ensuring that SSE events are delivered to clients immediately rather than being held in a buffer.',
  ),
  remedy: 'Send reports as they are made, flush them, and tell proxies not to buffer them.',
  async run(probe) {
    const reporting = (await withTokens(probe)).filter(({ during }) => during.length > 0);
    const slow = reporting.flatMap(({ tool }) => waiting(tool, STEP_MS) ?? [])[0];
    if (slow === undefined) {
      return notVerified(
        'No tool that reports progress accepts a duration.',
        'a tool that reports progress and takes a duration: --allow name',
      );
    }
    const session = await probe.open();
    const params = { name: slow.tool.name, arguments: slow.args, _meta: { progressToken: tokenFor(session) } };
    const { first, end } =
      session instanceof HttpSession
        ? await overHttp(probe, session, params)
        : await overChannel(probe, session, params);
    if (first === undefined || end < LEAST_MS) {
      return notVerified(
        'The call was over too soon, or reported nothing.',
        'arguments that make it last: --allow \'name={"seconds":2}\'',
      );
    }
    if (end - first > TOGETHER_MS) return holds();
    return broken({
      detail: `${slow.tool.name} took ${Math.round(end)} ms, and its first report came after ${Math.round(first)} ms.`,
      expected: 'the first report well before the answer',
    });
  },
});
