import { Endings, SHORT_GRACE_MS } from '../connection/endings.js';
import { Transcript } from '../connection/transcript.js';
import { Observations } from '../session/observations.js';
import type { Link } from '../session/link.js';
import type { CheckTarget } from '../target/target.js';
import { confirmPlace, placeOf, type PlaceOptions } from './place.js';

/** The way to the server, with everything that connections of a run share. */
export const openLink = async (
  target: CheckTarget,
  options: PlaceOptions & { readonly transcript?: Transcript },
  signal: AbortSignal,
): Promise<Link> => {
  const link: Link = {
    place: placeOf(target, options),
    transcript: options.transcript ?? new Transcript(),
    observations: new Observations(),
    budgets: target.budgets,
    signal,
    network: options.network,
    endings: target.tier === 'smoke' ? new Endings(SHORT_GRACE_MS) : new Endings(),
  };
  return { ...link, place: await confirmPlace(link, target) };
};
