import { oauthSession, PlugboardError, type OAuthSession } from '@plugboard/contract';

const shape = oauthSession.loose();

/** A login as the hub tells it. */
export const sessionAnswer = (json: unknown): OAuthSession => {
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new PlugboardError('INTERNAL', "The hub's answer about the login has an unknown shape.", {
    hint: 'Check that the hub and this program are of the same version.',
    cause: parsed.error,
  });
};
