import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useHttp } from './hub.js';
import type { Http } from './http.js';
import type { Subject } from './refresh.js';

/** Something that a person changes, and what is read again after it. */
export const useChange = <Answer, Input = void>(
  stale: readonly Subject[],
  act: (http: Http, input: Input) => Promise<Answer>,
) => {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => act(http, input),
    onSettled: () => {
      for (const subject of stale) void queries.invalidateQueries({ queryKey: [subject] });
    },
  });
};
