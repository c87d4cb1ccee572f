const TELLING =
  /(?:^(?:authorization|cookie|set-cookie|jwt|pwd)|passphrase|password|passwd|secret|token|credentials?|(?:access|api|private|secret)[-_]?key)$/iu;
/** Such tokens say where something goes on, and open nothing. */
const POSITION = /(?:continuation|cursor|next|page|progress|resume|sync)[-_]?token$/iu;

/** Does the member of a JSON document with this name hold a secret, as far as its name tells? */
export const isSecretMember = (name: string): boolean => TELLING.test(name) && !POSITION.test(name);

/** A member in the text of a document, which may be cut off, with a text or a number. */
const MEMBER = /"(?<name>[^"\\]{1,128})"(?<between>\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*)/gsu;

/** The text of a JSON document, or with parts of one in it, without the values of its secret members. */
export const hideSecretMembers = (
  text: string,
  hidden: string,
  isSecret: (name: string) => boolean = isSecretMember,
): string =>
  text.replaceAll(MEMBER, (whole, name: string, between: string) =>
    isSecret(name) ? `"${name}"${between}${JSON.stringify(hidden)}` : whole,
  );
