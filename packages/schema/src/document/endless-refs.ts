import { isJsonObject } from '@plugboard/base';
import type { SchemaObject } from './json-schema.js';
import { IN_PLACE } from './keyword.js';
import { refOf, type RefResolver } from './resolve-ref.js';
import { subschemas, walkSchema } from './walk-schema.js';

const inPlaceTargets = (schema: SchemaObject, resolve: RefResolver): readonly SchemaObject[] => {
  const ref = refOf(schema);
  const resolution = ref === undefined ? undefined : resolve(ref);
  const target = resolution?.found === true && isJsonObject(resolution.schema) ? [resolution.schema] : [];
  const branches = subschemas(schema).flatMap(({ schema: branch, keyword }) =>
    IN_PLACE.has(keyword) && isJsonObject(branch) ? [branch] : [],
  );
  return [...target, ...branches];
};

interface Visit {
  readonly schema: SchemaObject;
  readonly targets: readonly SchemaObject[];
  next: number;
}

/**
 * The schemas from which references lead back to themselves while still judging the same value: a validator that
 * follows them never ends. Recursion through a property or an item is not among them.
 */
export const endlessRefs = (root: unknown, resolve: RefResolver): ReadonlySet<SchemaObject> => {
  const endless = new Set<SchemaObject>();
  const finished = new Set<SchemaObject>();
  const onPath = new Set<SchemaObject>();

  const explore = (start: SchemaObject): void => {
    const path: Visit[] = [];
    const enter = (schema: SchemaObject): void => {
      onPath.add(schema);
      path.push({ schema, targets: inPlaceTargets(schema, resolve), next: 0 });
    };
    enter(start);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = visit.targets[visit.next];
      visit.next += 1;
      if (target === undefined) {
        finished.add(visit.schema);
        onPath.delete(visit.schema);
        path.pop();
      } else if (onPath.has(target)) {
        endless.add(visit.schema);
      } else if (!finished.has(target)) {
        enter(target);
      }
    }
  };

  walkSchema(root, ({ schema }) => {
    if (isJsonObject(schema) && !finished.has(schema)) explore(schema);
  });
  return endless;
};
