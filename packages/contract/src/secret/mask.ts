const DOTS = '••••';

/** A secret as it may be shown: its last four characters when it is long enough to spare them. */
export const maskSecret = (secret: string): string => (secret.length >= 12 ? DOTS + secret.slice(-4) : DOTS);

/** Does this value hold what `maskSecret` produced, so that a client that sends back what it read changes nothing? */
export const isMasked = (value: string): boolean => value.includes(DOTS);
