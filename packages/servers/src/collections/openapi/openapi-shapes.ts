import { isJsonObject } from '@plugboard/base';

/** Parts of an OpenAPI document after validation; what is read is narrowed where it is read. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Of the path and of the operation. */
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const parametersOf = (value: unknown): readonly Parameter[] =>
  listOf(value).flatMap((entry) => {
    const data = recordOf(entry);
    const name = textOf(data['name']);
    return name === '' ? [] : [{ name, in: textOf(data['in']), required: data['required'] === true, data }];
  });

/** Those of the operation win over those of the path. */
const withShared = (shared: readonly Parameter[], own: readonly Parameter[]): readonly Parameter[] => {
  const all = new Map([...shared, ...own].map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  return [...all.values()];
};

export const operationsOf = (document: Readonly<Record<string, unknown>>): readonly Operation[] =>
  Object.entries(recordOf(document['paths'])).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const holder = recordOf(item);
      if (!isJsonObject(holder[method])) return [];
      const data = holder[method];
      return [
        {
          method,
          path,
          data,
          parameters: withShared(parametersOf(holder['parameters']), parametersOf(data['parameters'])),
        },
      ];
    }),
  );
