/** The same path in the router's notation. */
export const toRouterPath = (template: string): string => template.replaceAll(/\{(\w+)\}/gu, ':$1');

export const paramNames = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/gu)].map((match) => match[1] ?? '');

/** Does a path fit a template, whatever stands where the parameters are? */
export const fitsTemplate = (template: string, path: string): boolean => {
  const wanted = template.split('/');
  const given = path.replace(/\/$/u, '').split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => (segment.startsWith('{') ? given[index] !== '' : segment === given[index]))
  );
};
