import type { SandboxSettings } from '@plugboard/contract';
import { childEnvironment } from '../program/child-environment.js';

/** What every program needs to find others and to speak the user's language. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'LC_*', 'TZ'];

/** What a program inherits: in a sandbox only the little that all need, and what its settings name. */
export const programEnvironment = (
  inherited: Readonly<Record<string, string | undefined>>,
  sandbox: SandboxSettings | undefined,
): Readonly<Record<string, string>> =>
  childEnvironment({
    inherited,
    ...(sandbox === undefined ? {} : { allow: [...INHERITED, ...(sandbox.env ?? [])] }),
  });
