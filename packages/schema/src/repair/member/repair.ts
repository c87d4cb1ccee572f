import { isJsonObject } from '@plugboard/base';

/** Gives a value a form that clients accept: the very value when it has it, undefined when the value has to go. */
export type Repair = (value: unknown) => unknown;

type Holder = Readonly<Record<string, unknown>>;

export const text: Repair = (value) => (typeof value === 'string' ? value : undefined);
export const flag: Repair = (value) => (typeof value === 'boolean' ? value : undefined);
export const record: Repair = (value) => (isJsonObject(value) ? value : undefined);
export const integer: Repair = (value) => (Number.isSafeInteger(value) ? value : undefined);
export const finite: Repair = (value) => (Number.isFinite(value) ? value : undefined);

export const oneOf =
  (...permitted: readonly unknown[]): Repair =>
  (value) =>
    permitted.includes(value) ? value : undefined;

/** Items that cannot be repaired are left out. The same list when nothing has to change. */
export const listOf =
  (repair: Repair): Repair =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const repaired = value.map(repair);
    return repaired.every((item, index) => item === value[index] && item !== undefined)
      ? value
      : repaired.filter((item) => item !== undefined);
  };

/** Repairs the members that are there, and takes away those that cannot be. The same object when nothing has to change. */
export const withMembers = (holder: Holder, repairs: Readonly<Record<string, Repair>>): Holder => {
  let changed: Record<string, unknown> | undefined;
  for (const [name, repair] of Object.entries(repairs)) {
    if (!Object.hasOwn(holder, name)) continue;
    const value = holder[name];
    const repaired = repair(value);
    if (repaired === value && value !== undefined) continue;
    changed ??= { ...holder };
    if (repaired === undefined) delete changed[name];
    else changed[name] = repaired;
  }
  return changed ?? holder;
};

/** An object whose members are repaired. */
export const members =
  (repairs: Readonly<Record<string, Repair>>): Repair =>
  (value) =>
    isJsonObject(value) ? withMembers(value, repairs) : undefined;
