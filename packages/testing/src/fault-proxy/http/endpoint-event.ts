import { withData, type WrittenEvent } from './event-splitter.js';

/** The path for requests that the first event of HTTP+SSE names; undefined for every other event, and for another server. */
export const endpointPath = ({ raw, data }: WrittenEvent, origin: URL): string | undefined => {
  if (!/^event: ?endpoint\r?$/mu.test(raw) || !URL.canParse(data, origin.href)) return undefined;
  const endpoint = new URL(data, origin);
  return endpoint.origin === origin.origin ? `${endpoint.pathname}${endpoint.search}` : undefined;
};

/** The same event with the path alone: clients send their requests where they got it from, through the proxy. */
export const withPath = (event: WrittenEvent, path: string): string => withData(event, path);
