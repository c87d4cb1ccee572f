import { createRequire } from 'node:module';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type JsonObject } from '../connection/json.js';
import { isRevision, type Revision } from '../session/revision.js';
import { expectationsOf, type Expectation } from './definition-name.js';
import type { Observation } from './observations.js';

/** Names that older revisions give to the same thing. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  JSONRPCErrorResponse: 'JSONRPCError',
  JSONRPCResultResponse: 'JSONRPCResponse',
};

/** An error that answers something unreadable has no id to give; JSON-RPC itself asks for null. */
const withoutNullId = (part: unknown): unknown => {
  if (!isObject(part) || part['id'] !== null || !('error' in part)) return part;
  return { ...part, id: 0 };
};

const load = (revision: Revision): JsonObject =>
  createRequire(import.meta.url)(`@plugboard/check/schema/${revision}.json`) as JsonObject;

const worst = (errors: readonly ErrorObject[]): string => {
  const deepest = errors.toSorted((one, two) => two.instancePath.length - one.instancePath.length)[0];
  return deepest === undefined ? 'does not fit' : `${deepest.instancePath} ${deepest.message ?? 'does not fit'}`.trim();
};

/** The published schema of one revision. */
export class SchemaOracle {
  readonly revision: Revision;
  readonly #ajv: Ajv;
  readonly #root: string;
  readonly #names: ReadonlySet<string>;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(revision: Revision) {
    const document = load(revision);
    const options = { strict: false, allErrors: false, validateFormats: true };
    this.revision = revision;
    this.#ajv = '$defs' in document ? new Ajv2020(options) : new Ajv(options);
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, revision);
    this.#root = '$defs' in document ? `${revision}#/$defs` : `${revision}#/definitions`;
    this.#names = new Set(Object.keys((document['$defs'] ?? document['definitions']) as JsonObject));
  }

  /** What is wrong with a value by this definition; undefined when nothing is, or when the revision has no such thing. */
  flawBy(definition: string, value: unknown): string | undefined {
    const name = this.#names.has(definition) ? definition : (OLDER_NAMES[definition] ?? definition);
    if (!this.#names.has(name)) return undefined;
    const validate = this.#compiled.get(name) ?? this.#ajv.compile({ $ref: `${this.#root}/${name}` });
    this.#compiled.set(name, validate);
    return validate(value) ? undefined : `${name}: ${worst(validate.errors ?? [])}`;
  }

  /** What is wrong with a message. */
  flaw(observation: Observation): string | undefined {
    for (const { part, where, definition } of expectationsOf(observation) satisfies readonly Expectation[]) {
      const found = this.flawBy(definition, withoutNullId(part));
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
