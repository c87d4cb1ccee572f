/** Ids of requests are their names; the second of a name gets a number. */
export const uniqueId = (): ((id: string) => string) => {
  const counts = new Map<string, number>();
  return (id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id} #${count}`;
  };
};
