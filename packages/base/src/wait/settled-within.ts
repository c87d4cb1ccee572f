/** True when the promise settled in time; the timer is gone either way. */
export const settledWithin = async (ms: number, settled: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([settled.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
};
