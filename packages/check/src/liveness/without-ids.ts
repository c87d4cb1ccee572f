/** A text with messages whose requests have no ids of their own: what differs in those only is the same request. */
export const withoutIds = (text: string): string => text.replaceAll(/"id":(?:"(?:[^"\\]|\\.)*"|-?\d+)/gu, '"id":0');
