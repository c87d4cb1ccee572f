const escaped = (literal: string): string => literal.replaceAll(/[$()*+.?[\\\]^{|}]/gu, '\\$&');

/**
 * Whether a URI could be an expansion of a template (RFC 6570). Every expression counts as any text, so that the answer errs
 * towards yes: what a template might serve is not read.
 */
export const couldServe = (template: string, uri: string): boolean => {
  const pattern = template
    .split(/\{[^}]*\}/u)
    .map(escaped)
    .join('[^]*');
  return new RegExp(`^${pattern}$`, 'iu').test(uri);
};
