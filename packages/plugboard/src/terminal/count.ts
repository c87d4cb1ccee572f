/** `1 tool`, `2 tools`. */
export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number} ${number === 1 ? singular : plural}`;

/** At most `limit` of the names, and how many more there are. */
export const someOf = (names: readonly string[], limit: number): string =>
  names.length <= limit ? names.join(', ') : `${names.slice(0, limit).join(', ')} and ${names.length - limit} more`;
