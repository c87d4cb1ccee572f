import { parse, stringify } from 'yaml';

type Values = Readonly<Record<string, unknown>>;

const lookUp = (root: Values, path: string): unknown =>
  path
    .split('.')
    .filter((part) => part !== '')
    .reduce<unknown>((holder, part) => {
      const value = (holder as Values | undefined)?.[part];
      if (value === undefined) throw new Error(`${path} has no value`);
      return value;
    }, root);

const indented = (value: unknown, by: number): string =>
  `\n${stringify(value)
    .trimEnd()
    .split('\n')
    .map((line) => ' '.repeat(by) + line)
    .join('\n')}`;

const evaluate = (expression: string, root: Values): string => {
  const yaml = /^toYaml (\S+) \| nindent (\d+)$/u.exec(expression);
  if (yaml !== null) return indented(lookUp(root, yaml[1] ?? ''), Number(yaml[2]));
  const [path = '', filter, ...rest] = expression.split(/\s*\|\s*/u);
  if (!path.startsWith('.') || rest.length > 0) throw new Error(`not understood: ${expression}`);
  const value = String(lookUp(root, path));
  if (filter === undefined) return value;
  if (filter !== 'quote') throw new Error(`not understood: ${expression}`);
  return JSON.stringify(value);
};

/** Renders the few constructs that our chart uses; whatever else it meets is an error. */
export const renderTemplate = (template: string, root: Values): unknown => {
  const withoutBlocks = template.replaceAll(
    /\s*\{\{-? if (not )?(\S+) \}\}(.*?)\{\{-? end \}\}/gsu,
    (_all, negated: string | undefined, path: string, body: string) =>
      Boolean(lookUp(root, path)) === (negated === undefined) ? body : '',
  );
  return parse(
    withoutBlocks.replaceAll(
      /\s?\{\{-\s*(.*?)\s*\}\}|\{\{\s*(.*?)\s*\}\}/gu,
      (_all, trimmed?: string, plain?: string) => evaluate(trimmed ?? plain ?? '', root),
    ),
  );
};
