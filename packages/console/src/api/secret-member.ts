const TELLING =
  /(?:^(?:authorization|cookie|set-cookie|jwt|pwd)|passphrase|password|passwd|secret|token|credentials?|(?:access|api|private|secret)[-_]?key)$/iu;
const POSITION = /(?:continuation|cursor|next|page|progress|resume|sync)[-_]?token$/iu;

/**
 * Does a member with this name hold a secret, as far as its name tells? The rule of the hub, which this page cannot import
 * without the schemas of the contract; a test holds the two together.
 */
export const isSecretMember = (name: string): boolean => TELLING.test(name) && !POSITION.test(name);
