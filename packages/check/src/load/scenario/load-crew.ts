import { withCrew } from './crew.js';
import type { Ground, LoadCrew } from './ground.js';
import { measure } from './measure.js';

/** Opens callers, spread over the workers if there are any, works with them and closes them, whatever happens. */
export const withLoadCrew = async <T>(
  ground: Ground,
  size: number,
  work: (crew: LoadCrew) => Promise<T>,
): Promise<T> => {
  const { workers } = ground;
  if (workers === undefined || size < workers.count) {
    return await withCrew(ground, size, ({ callers, attempted }) =>
      work({ size: callers.length, attempted, measure: (measurement) => measure(ground, callers, measurement) }),
    );
  }
  const crew = await workers.openCrew(ground, size);
  try {
    return await work(crew);
  } finally {
    await crew.close();
  }
};
