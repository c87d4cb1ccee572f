/** Created by the first caller and kept for all. A failure is not kept, so the next caller tries again. */
export const madeOnce = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return async () => {
    made ??= make();
    const mine = made;
    try {
      return await mine;
    } catch (thrown) {
      if (made === mine) made = undefined;
      throw thrown;
    }
  };
};
