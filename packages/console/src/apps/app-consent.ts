/** What is longer is not asked for: a person must see all that they agree to. */
const MAX_SHOWN = 2000;

const tooLong = (): Error => new Error('This is too long to be shown to the user.');

/** The question whether an app may call a tool. Throws if it cannot be shown whole. */
export const callQuestion = (server: string, tool: string, args: unknown): string => {
  const given = JSON.stringify(args);
  if (given.length > MAX_SHOWN) throw tooLong();
  return `The app of ${server} wants to call ${tool} with ${given}.`;
};

/** The address that an app may ask to open, as the browser reads it. Throws for one that can deceive a person. */
export const linkOf = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) throw new Error('This is no web address.');
  // https://hub.example@evil.example/ leads to evil.example.
  if (url.username !== '' || url.password !== '') throw new Error('The address contains a user name.');
  if (url.href.length > MAX_SHOWN) throw tooLong();
  return url.href;
};
