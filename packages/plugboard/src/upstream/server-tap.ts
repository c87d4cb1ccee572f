import type { WireTap } from '@plugboard/client';
import type { FlowWatch } from '@plugboard/gateway';

/** Shows the messages to and from one server while messages are followed. */
export const serverTap = (flows: FlowWatch, server: string): WireTap => ({
  get isOpen() {
    return flows.followsMessages;
  },
  see: (seen) => flows.see({ ...seen, server }),
});
