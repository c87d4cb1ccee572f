import { maskSecret } from '@plugboard/contract';
import { perText, type LintRule } from './lint-rule.js';

const SECRETS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/u],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})\b/u],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}\b/u],
  ['an API key of OpenAI or Anthropic', /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}\b/u],
  ['a Stripe key', /\b[sr]k_live_[A-Za-z0-9]{20,}\b/u],
  ['a Slack token', /\bxox[abprs]-[0-9]{8,}-[A-Za-z0-9-]{10,}\b/u],
  ['a Google API key', /\bAIza[0-9A-Za-z_-]{35}\b/u],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/u],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{34,}\b/u],
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*[A-Za-z0-9+/=]{20,}/u],
  ['a JSON web token', /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{15,}\b/u],
  [
    'a password in a URL',
    /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s/:@<>{}$]+:[^\s/:@<>{}$]{6,}@[a-z0-9-]+\.[a-z0-9.-]+/iu,
  ],
];

const PLACEHOLDER =
  /x{4,}|\*{3,}|\.{3}|…|example|placeholder|your|sample|dummy|changeme|abc123|123456|password|pass@|secret@|(.)\1{7}/iu;

const findSecret = (text: string): string | undefined => {
  for (const [what, pattern] of SECRETS) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined && !PLACEHOLDER.test(found)) return `${what}, ${maskSecret(found)}`;
  }
  return undefined;
};

export const secrets: LintRule = {
  id: 'SEC-18',
  name: 'secret',
  level: 'error',
  sentence: 'The text contains a credential.',
  fix: 'Revoke it, and use a placeholder that does not look like a real one.',
  inspect: perText(({ text }) => findSecret(text)),
};
