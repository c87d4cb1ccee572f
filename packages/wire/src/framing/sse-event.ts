/** One server-sent event. */
export interface SseEvent {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}
