/**
 * Whether a URI could be an expansion of a template (RFC 6570). Every expression counts as any text, so that the answer errs
 * towards yes: what a template might serve is not read.
 */
export const couldServe = (template: string, uri: string): boolean => {
  const [first = '', ...others] = template.toLowerCase().split(/\{[^{}]*\}/u);
  const text = uri.toLowerCase();
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  // Each literal at its first place leaves the most room for the next: no other choice has to be tried.
  for (const literal of others) {
    const found = text.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
};
