import type { QueryClient } from '@tanstack/react-query';

type Arguments = Readonly<Record<string, unknown>>;

/** A call to make again: its arguments, or what kind each was where their values are not known. */
export type Replay = { readonly args: Arguments } | { readonly missing: Readonly<Record<string, string>> };

const keyOf = (toolId: string): readonly string[] => ['replay', toolId];

/** Leaves a call for the page of its tool. */
export const leaveReplay = (queries: QueryClient, toolId: string, replay: Replay): void => {
  queries.setQueryData(keyOf(toolId), replay);
};

/** The call that was left. */
export const replayFor = (queries: QueryClient, toolId: string): Replay | undefined =>
  queries.getQueryData<Replay>(keyOf(toolId));

/** It was taken up, and must not be made a second time. */
export const forgetReplay = (queries: QueryClient, toolId: string): void =>
  queries.removeQueries({ queryKey: keyOf(toolId), exact: true });
