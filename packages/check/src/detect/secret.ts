/** A kind of secret, and what it looks like. */
interface SecretKind {
  readonly kind: string;
  readonly pattern: RegExp;
  /** Words around it make it look like a secret, not a format that only secrets have. */
  readonly guessed?: boolean;
}

const KINDS: readonly SecretKind[] = [
  { kind: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/u },
  { kind: 'a key of AWS', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/u },
  { kind: 'a token of GitHub', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})\b/u },
  { kind: 'a token of GitLab', pattern: /\bglpat-[A-Za-z0-9_-]{20,}\b/u },
  { kind: 'a token of Slack', pattern: /\bxox[abprs]-[A-Za-z0-9-]{10,}\b/u },
  { kind: 'a key of Google', pattern: /\bAIza[0-9A-Za-z_-]{35}\b/u },
  { kind: 'a key of an LLM provider', pattern: /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}\b/u },
  { kind: 'a key of Stripe', pattern: /\b[rs]k_live_[0-9A-Za-z]{20,}\b/u },
  {
    kind: 'a JSON Web Token',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/u,
  },
  {
    kind: 'a URL with a password',
    pattern: /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s:@/]{1,64}:(?!\*+@|<|\$|\{|password@|pass@)[^\s:@/]{3,}@[^\s/]+/iu,
  },
  { kind: 'a bearer token', guessed: true, pattern: /\bbearer\s+(?!token|<|\$|\{|\*)[A-Za-z0-9._~+/-]{20,}=*/iu },
  {
    kind: 'a password',
    guessed: true,
    pattern:
      /\b(?:password|passwd|secret|api[_-]?key|access[_-]?token)["']?\s*[:=]\s*["']?(?!\*{3}|<|\$|\{|null|undefined|none|true|false|string|your|example|\[?redacted|required|missing|invalid|must)[^\s"',;]{8,}/iu,
  },
];

const PEM = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----(?:(?!-----BEGIN )[\s\S])*?-----END (?:[A-Z]+ )?PRIVATE KEY-----/gu;

/** The text with every secret of a known kind replaced. */
export const withoutSecrets = (text: string, replacement: string): string =>
  KINDS.reduce(
    (redacted, { pattern }) => redacted.replaceAll(new RegExp(pattern.source, `${pattern.flags}g`), replacement),
    text.replaceAll(PEM, replacement),
  );

/** Whether a kind is told by the words around it: what follows "password:" may be an ordinary word. */
export const isGuessed = (kind: string): boolean => KINDS.some((one) => one.kind === kind && one.guessed === true);

/** The kinds of secrets that this text contains. */
export const secretsIn = (text: string): readonly string[] =>
  KINDS.filter(({ pattern }) => pattern.test(text)).map(({ kind }) => kind);
