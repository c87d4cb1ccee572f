import { at, isObject, listAt, type JsonObject } from '../../connection/json.js';
import { NoAnswer } from '../../connection/no-answer.js';
import { notApplicable, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Reply } from '../../session/answer.js';
import { ask, firstRequest, isServed, jsonOf, operatorToken, withoutCredentials } from './anonymous.js';
import { bearerChallenge, type Challenge } from './challenge.js';

/** A document of metadata, and where it was found. */
export interface Found {
  readonly url: string;
  readonly document: JsonObject;
  readonly reply: Reply;
}

/** How a server keeps those out who have no token. */
export interface Lock {
  /** What somebody without a token gets. */
  readonly refusal: Reply;
  readonly challenge: Challenge | undefined;
  /** What the challenge names as address of the metadata. */
  readonly named: string | undefined;
  /** The metadata of the protected resource, from the first place that has it. */
  readonly metadata: Found | undefined;
  /** What came from the places that were tried. */
  readonly tried: readonly Reply[];
  /** Whether one of them could not be read now, so that the document may be there. */
  readonly isInDoubt: boolean;
}

const fetched = async (probe: Probe, url: string): Promise<Reply | undefined> => {
  try {
    return await ask(probe, { url, headers: { accept: 'application/json' } });
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof Error) return undefined;
    throw error;
  }
};

/** What became of the search for a document. */
interface Search extends Pick<Lock, 'tried' | 'isInDoubt'> {
  readonly found: Found | undefined;
}

/** The first of these addresses that has a JSON object. */
const firstDocument = async (probe: Probe, urls: readonly string[]): Promise<Search> => {
  const tried: Reply[] = [];
  for (const url of urls) {
    const reply = await fetched(probe, url);
    if (reply === undefined) continue;
    tried.push(reply);
    const document = jsonOf(reply);
    if (reply.http?.status === 200 && isObject(document)) {
      return { found: { url, document, reply }, tried, isInDoubt: false };
    }
  }
  const failed = tried.filter(({ http }) => (http?.status ?? 0) >= 500).length;
  return { found: undefined, tried, isInDoubt: failed > 0 || tried.length < urls.length };
};

/** Where the metadata of the resource may be, by RFC 9728. */
export const wellKnownResource = (endpoint: string): readonly string[] => {
  const { origin, pathname } = new URL(endpoint);
  const root = `${origin}/.well-known/oauth-protected-resource`;
  const path = pathname.replace(/\/$/u, '');
  return path === '' ? [root] : [`${root}${path}`, root];
};

/** Where the metadata of an authorization server may be, in the order that the specification gives. */
export const wellKnownServer = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/u, '');
  const inserted = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
};

const absolute = (url: string | undefined): string | undefined =>
  url !== undefined && /^https?:\/\//iu.test(url) && URL.canParse(url) ? url : undefined;

/** How the server refuses strangers; undefined when it serves them, or keeps them out by other means than OAuth. */
export const findLock = (probe: Probe): Promise<Lock | undefined> =>
  probe.once('lock', async () => {
    const refusal = await firstRequest(probe, withoutCredentials(probe));
    if (isServed(refusal)) return undefined;
    const challenge = bearerChallenge(refusal.http?.headers['www-authenticate']);
    const named = challenge?.parameters['resource_metadata'];
    const address = absolute(named);
    const urls = [...(address === undefined ? [] : [address]), ...wellKnownResource(probe.url ?? '')];
    const { found, ...search } = await firstDocument(probe, urls);
    const isOAuth =
      found !== undefined ||
      challenge !== undefined ||
      operatorToken(probe) !== undefined ||
      probe.target.authorization !== undefined;
    return isOAuth ? { refusal, challenge, named, metadata: found, ...search } : undefined;
  });

export const OPEN = notApplicable('The server serves without authorization, or by other means than OAuth.');

/** The authorization servers that the metadata names. */
export const issuersOf = ({ metadata }: Lock): readonly string[] =>
  listAt(metadata?.document, 'authorization_servers').filter((one): one is string => typeof one === 'string');

/** The metadata of the first authorization server. */
export interface Issuer {
  readonly issuer: string;
  readonly metadata: Found | undefined;
  readonly tried: readonly Reply[];
  readonly isInDoubt: boolean;
}

export const findIssuer = (probe: Probe): Promise<Issuer | undefined> =>
  probe.once('issuer', async () => {
    const lock = await findLock(probe);
    const issuer = lock === undefined ? undefined : issuersOf(lock).find((one) => absolute(one) !== undefined);
    if (issuer === undefined) return undefined;
    const { found, ...search } = await firstDocument(probe, wellKnownServer(issuer));
    return { issuer, metadata: found, ...search };
  });

export const endpointOf = ({ metadata }: Issuer, name: string): string | undefined => {
  const endpoint = at(metadata?.document, name);
  return typeof endpoint === 'string' ? absolute(endpoint) : undefined;
};

/** Judges a guarded server; one that serves everybody is none of this family's business. */
export const guarded =
  (judge: (probe: Probe, lock: Lock) => Promise<Finding>) =>
  async (probe: Probe): Promise<Finding> => {
    const lock = await findLock(probe);
    return lock === undefined ? OPEN : await judge(probe, lock);
  };
