/** What all parts of one answer have in common. */
export interface ServedHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The agent, as the client named it. */
  readonly model: string;
}

/** A piece of an event stream. */
export interface ServedEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** A piece of an event stream, written. */
export const writeServedEvent = ({ event, data }: ServedEvent): string => {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
};
