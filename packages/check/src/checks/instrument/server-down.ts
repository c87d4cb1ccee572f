import { notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe, type Answer } from '../../session/answer.js';

const INTERNAL = -32_603;
const NOT_FOUND = -32_002;

/** Codes that a server gives to errors of its own: of JSON-RPC, and of the implementation. */
const isOwn = (code: unknown): boolean =>
  code === INTERNAL || (typeof code === 'number' && code <= -32_000 && code > -32_020 && code !== NOT_FOUND);

/** Whether the answer tells of trouble that need not have to do with the request: an internal error, or a limit. */
export const isTrouble = ({ error, http }: Pick<Answer, 'error' | 'http'>): boolean =>
  isOwn(error?.code) || http?.status === 429 || (http?.status ?? 0) >= 500;

const LISTS = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['prompts', 'prompts/list'],
] as const;

/** The control of a request that is answered with trouble: does the server answer anything better that it declares? */
export const isDown = async (probe: Probe, answer: Answer): Promise<boolean> => {
  if (!isTrouble(answer)) return false;
  const session = probe.session();
  const declared = LISTS.filter(([capability]) => session.capabilities[capability] !== undefined);
  for (const [, method] of declared) if (!isTrouble(await session.request(method))) return false;
  return declared.length > 0;
};

/** What fails like everything else says nothing about the rule. */
export const down = (answer: Answer): Finding =>
  notVerified(`The server answers this, like all its lists, with ${describe(answer)}.`, 'a server whose backend works');
