import type { CheckAggregatedServer } from '@plugboard/contract';
import { Unreachable } from '../connection/no-answer.js';
import { Transcript } from '../connection/transcript.js';
import { findFacts } from '../discovery/find-facts.js';
import { Observations } from '../session/observations.js';
import type { Link } from '../session/link.js';
import { readList, toListedTool } from './lists.js';

/** Asks a server behind the target. What it says is not the target's: neither its transcript nor its schema errors. */
export const toolsBehind = async (
  link: Link,
  { url, transport }: CheckAggregatedServer,
): Promise<readonly string[]> => {
  if (url === undefined) throw new Unreachable('It has no url.');
  const place = { transport, url, headers: {} };
  const apart: Link = { ...link, place, transcript: new Transcript(), observations: new Observations() };
  const { sessions } = await findFacts(apart);
  const opened = Object.values(sessions);
  try {
    const [session] = opened;
    if (session === undefined) throw new Unreachable('The server requires a token.');
    return (await readList(session, 'tools/list', 'tools')).map((tool) => toListedTool(tool).name);
  } finally {
    await Promise.allSettled(opened.map((session) => session.close()));
  }
};
