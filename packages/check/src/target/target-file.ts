import { PlugboardError, type CheckAuth } from '@plugboard/contract';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { checkTarget, type CheckTarget } from './target.js';

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/gu;

const wrong = (name: string, why: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `${name} is not a target of a check: ${why}`, {
    hint: '`plugboard check init` writes one; docs/check-target.schema.json describes it.',
  });

const readYaml = (text: string, name: string): unknown => {
  try {
    return parse(text, { maxAliasCount: 50 });
  } catch (error) {
    const place = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const where = place === undefined ? '' : ` (line ${place.line}, column ${place.col})`;
    throw wrong(name, `it is neither YAML nor JSON${where}.`);
  }
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The values with `${NAME}` filled in from the environment; `refuse` is the error for a variable that is not set. */
export const fillVariables = (
  values: Readonly<Record<string, string>>,
  env: Environment,
  refuse: (variable: string, key: string) => Error,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      value.replaceAll(VARIABLE, (_whole, variable: string) => {
        const found = env[variable];
        if (found === undefined) throw refuse(variable, key);
        return found;
      }),
    ]),
  );

const withVariables = (values: Readonly<Record<string, string>>, env: Environment, name: string) =>
  fillVariables(values, env, (variable, key) =>
    wrong(name, `the environment variable ${variable}, which ${key} names, is not set.`),
  );

const filled = (auth: CheckAuth, env: Environment, name: string): CheckAuth => {
  if (auth.type === 'token') return { ...auth, ...withVariables({ token: auth.token }, env, name) };
  if (auth.type === 'command') return auth;
  const { client_id, client_secret } = auth;
  return { ...auth, ...withVariables({ client_id, client_secret }, env, name) };
};

const filledTokens = (
  { register, ...texts }: NonNullable<CheckTarget['authorization']>,
  env: Environment,
  name: string,
): NonNullable<CheckTarget['authorization']> => {
  const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { register, ...withVariables(Object.fromEntries(given), env, name) };
};

export interface TargetFileOptions {
  /** How the file is called in messages. */
  readonly name: string;
  readonly env: Environment;
}

/** The target that a file describes, YAML or JSON. */
export const parseTargetFile = (text: string, { name, env }: TargetFileOptions): CheckTarget => {
  const parsed = checkTarget.safeParse(readYaml(text, name));
  if (!parsed.success) throw wrong(name, `${z.prettifyError(parsed.error).replaceAll(/\s+/gu, ' ')}.`);
  const target = parsed.data;
  const { otherHeaders, auth, authorization, differential } = target;
  return {
    ...target,
    headers: withVariables(target.headers, env, name),
    env: withVariables(target.env, env, name),
    ...(otherHeaders === undefined ? {} : { otherHeaders: withVariables(otherHeaders, env, name) }),
    ...(auth === undefined ? {} : { auth: filled(auth, env, name) }),
    ...(authorization === undefined ? {} : { authorization: filledTokens(authorization, env, name) }),
    ...(differential === undefined
      ? {}
      : {
          differential: {
            ...differential,
            headers: withVariables(differential.headers, env, name),
            env: withVariables(differential.env, env, name),
            ...(differential.auth === undefined ? {} : { auth: filled(differential.auth, env, name) }),
          },
        }),
  };
};
