import { NoAnswer, Unreachable } from '../../connection/no-answer.js';
import { BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import type { Probe, RawRequest } from '../../probe/probe.js';
import { describe, type Reply } from '../../session/answer.js';
import { plainMethod, properRequest } from '../instrument/control-request.js';
import { HTTP, posted } from './raw.js';

const MEGABYTES = 5;
const PADDING = 'x'.repeat(MEGABYTES * 1024 * 1024);

const MORE_TRIES = 3;

/** The answer, or in words why there is none. */
const outcomeOf = async (probe: Probe, request: RawRequest): Promise<Reply | string> => {
  try {
    return await probe.http(request);
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    if (error instanceof NoAnswer) return 'There was no answer in time.';
    return `The connection was cut before an answer (${error instanceof Error ? error.message : String(error)}).`;
  }
};

export const largeBody = defineCheck({
  ...HTTP,
  id: 'HTP-44',
  title: 'a body of five megabytes is served or rejected, and the server keeps working',
  eras: BOTH_ERAS,
  level: 'ADVICE',
  tier: 'standard',
  source: {
    sentence:
      'The 413 (Content Too Large) status code indicates that the server is refusing to process a request because the request content is larger than the server is willing or able to process.',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.14',
  },
  remedy: 'Read the body up to a limit, and answer a larger one with 413 before you close the connection.',
  async run(probe) {
    const session = await probe.open();
    const method = plainMethod(probe.era);
    if ((await session.request(method)).result === undefined) {
      return notVerified(`${method} also fails with a small body.`, `a server that answers ${method}`);
    }
    const _meta = { 'dev.plugboard/padding': PADDING };
    const request = posted(session, properRequest(session, 'large', method, { _meta }));
    const expected = 'a result, or HTTP 413';
    let outcome = await outcomeOf(probe, request);
    // An answer may be lost when the connection is closed behind it; every time it is no chance.
    for (let more = MORE_TRIES; more > 0 && typeof outcome === 'string'; more -= 1) {
      outcome = await outcomeOf(probe, request);
    }
    const after = await session.request(method);
    if (typeof outcome === 'string') return broken({ detail: outcome, expected });
    const { http, exchange } = outcome;
    if ((http?.status ?? 0) >= 500) {
      return broken({ detail: `It came back with HTTP ${http?.status ?? 0}.`, expected, exchange });
    }
    if (after.result === undefined) {
      return broken({ detail: `The next request came back with ${describe(after)}.`, expected, exchange });
    }
    return holds(`HTTP ${http?.status ?? 0}`);
  },
});
