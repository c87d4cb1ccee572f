import { at, isObject, type JsonObject } from '../connection/json.js';
import { Observations, type Observation } from '../session/observations.js';
import { eraOf } from '../session/revision.js';
import type { Link } from '../session/link.js';
import { openSession } from '../session/open-session.js';

/** How many requests are sent again for one finding. */
const MAX_REPEATED = 12;

const kindOf = ({ answers, message }: Observation): string => answers ?? `message ${String(message['method'])}`;

const paramsOf = ({ sent }: Observation): JsonObject | undefined =>
  isObject(sent?.['params']) ? sent['params'] : undefined;

const likenessOf = (observation: Observation): string => {
  const params = paramsOf(observation);
  const meta = at(params, '_meta');
  const { progressToken: _token, ...rest } = isObject(meta) ? meta : {};
  return JSON.stringify([observation.revision, kindOf(observation), { ...params, _meta: rest }]);
};

/** The same request once more, in a conversation of its own. */
const repeat = async (link: Link, observation: Observation): Promise<void> => {
  const { answers: method, revision } = observation;
  if (method === undefined) return;
  const isOpening = method === 'initialize' || method === 'server/discover';
  const session = await openSession(link, { era: eraOf(revision), revision, fresh: true });
  try {
    if (!isOpening) await session.request(method, paramsOf(observation));
  } finally {
    await session.close();
  }
};

/**
 * Makes a second observation of what messages of the run showed: the requests that they answer are sent again in new
 * conversations, and messages of the same kind that came over other connections count, too. What nothing shows again is absent.
 */
export const observeAgain = async (link: Link, observed: readonly Observation[]): Promise<Observations> => {
  const again = new Observations();
  const aside: Link = { ...link, observations: again };
  const distinct = new Map(observed.map((one) => [likenessOf(one), one]));
  for (const one of [...distinct.values()].slice(0, MAX_REPEATED)) {
    // A request that cannot be repeated leaves the messages of other connections.
    await repeat(aside, one).catch(() => undefined);
  }
  for (const other of link.observations.all) {
    const isSecond = observed.some(
      (one) => kindOf(one) === kindOf(other) && one.revision === other.revision && one.connection !== other.connection,
    );
    if (isSecond) again.record(other);
  }
  return again;
};
