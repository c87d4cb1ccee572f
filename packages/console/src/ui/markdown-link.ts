const LINKED: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);

/** The address that a link of Markdown may lead to. Undefined: it stays text, also when it is a place in this page. */
export const linkTarget = (address: string): string | undefined => {
  const parsed = URL.canParse(address) ? new URL(address) : undefined;
  return parsed !== undefined && LINKED.has(parsed.protocol) ? parsed.href : undefined;
};
