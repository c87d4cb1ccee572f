import { parse, YAMLParseError } from 'yaml';

/** The value of a YAML or JSON text. `refuse` makes the error of a text that is neither. */
export const parseYaml = (text: string, refuse: (why: string) => Error): unknown => {
  try {
    return parse(text, { maxAliasCount: 50 });
  } catch (error) {
    const place = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    throw refuse(`it is not YAML or JSON${place === undefined ? '' : ` (line ${place.line})`}.`);
  }
};
