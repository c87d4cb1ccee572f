import { useCallback } from 'react';

interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Reads the next page of a list, unless there is none or it is being read. */
export const useNextPage = ({ hasNextPage, isFetchingNextPage, fetchNextPage }: Paged): (() => void) =>
  useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
