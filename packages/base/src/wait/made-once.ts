/** Made by the first who asks and kept for all; a failure is not kept, so that the next who asks makes it anew. */
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
