import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject } from '../connection/json.js';
import { isRevision, type Revision } from '../session/revision.js';
import { definitionsOf } from './definition/definitions.js';
import { expectationsOf } from './definition-name.js';
import type { Observation } from '../session/observations.js';

/** An error that answers something unreadable has no id to give; JSON-RPC itself asks for null. */
const withoutNullId = (part: unknown): unknown => {
  if (!isObject(part) || part['id'] !== null || !('error' in part)) return part;
  return { ...part, id: 0 };
};

const worst = (errors: readonly ErrorObject[]): string => {
  const deepest = errors.toSorted((one, two) => two.instancePath.length - one.instancePath.length)[0];
  return deepest === undefined ? 'does not fit' : `${deepest.instancePath} ${deepest.message ?? 'does not fit'}`.trim();
};

/** Every text in a value. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** A text of the wrong format that the referee sent itself, and that the server gave back. */
const isEcho = ({ keyword, instancePath }: ErrorObject, value: unknown, echoed: readonly string[]): boolean => {
  if (keyword !== 'format') return false;
  const found = instancePath
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (inner, key) => (Array.isArray(inner) ? inner[Number(key)] : isObject(inner) ? inner[key] : undefined),
      value,
    );
  return typeof found === 'string' && echoed.includes(found);
};

/** What the specification of one revision says about the shape of messages. */
export class SchemaOracle {
  readonly revision: Revision;
  readonly #ajv: Ajv2020;
  readonly #names: ReadonlySet<string>;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(revision: Revision) {
    const $defs = definitionsOf(revision);
    this.revision = revision;
    this.#ajv = new Ajv2020({ strict: false, validateFormats: true });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $defs }, revision);
    this.#names = new Set(Object.keys($defs));
  }

  /** What is wrong with a value by this definition; undefined when nothing is, or when the revision has no such thing. */
  flawBy(definition: string, value: unknown, echoed: readonly string[] = []): string | undefined {
    if (!this.#names.has(definition)) return undefined;
    const validate =
      this.#compiled.get(definition) ?? this.#ajv.compile({ $ref: `${this.revision}#/$defs/${definition}` });
    this.#compiled.set(definition, validate);
    if (validate(value)) return undefined;
    const all = validate.errors ?? [];
    const echoes = all.filter((error) => isEcho(error, value, echoed)).map(({ instancePath }) => instancePath);
    // Where a value may have several shapes, the other shapes complain about its neighbours.
    const own = all.filter(({ instancePath }) => !echoes.some((echo) => echo.startsWith(instancePath)));
    return own.length === 0 ? undefined : `${definition}: ${worst(own)}`;
  }

  /** What is wrong with a message. */
  flaw(observation: Observation): string | undefined {
    const echoed = textsIn(observation.sent);
    for (const { part, where, definition } of expectationsOf(observation)) {
      const found = this.flawBy(definition, withoutNullId(part), echoed);
      if (found !== undefined) return where === '' ? found : `${where}: ${found}`;
    }
    return undefined;
  }
}

/** One oracle per revision, made when it is first needed. */
export const createOracles = (): ((revision: string) => SchemaOracle | undefined) => {
  const oracles = new Map<Revision, SchemaOracle>();
  return (revision) => {
    if (!isRevision(revision)) return undefined;
    const oracle = oracles.get(revision) ?? new SchemaOracle(revision);
    oracles.set(revision, oracle);
    return oracle;
  };
};
