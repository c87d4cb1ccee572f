/** The words of a name, whatever its style. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');

const DANGEROUS: ReadonlySet<string> = new Set(
  [
    'create delete remove update write insert drop send post publish upload rename move set patch put merge execute',
    'install deploy destroy purge erase wipe reset clear truncate overwrite replace append edit modify save store upsert',
    'run exec eval shell invoke kill stop start restart shutdown reboot terminate revoke grant approve reject cancel',
    'pay transfer buy order book submit email invite ban block mute enable disable archive restore migrate import',
    'commit push rollback format close lock unlock assign unassign register unregister subscribe unsubscribe',
  ].flatMap((line) => line.split(' ')),
);

const stem = (word: string): readonly string[] => [
  word,
  word.replace(/s$/u, ''),
  word.replace(/es$/u, ''),
  word.replace(/ies$/u, 'y'),
];

const isDangerous = (word: string): boolean => stem(word).some((form) => DANGEROUS.has(form));

/** The first word of a name that says that something is changed, sent or executed. */
export const dangerousWord = (name: string): string | undefined => wordsOf(name).find(isDangerous);

const GRAVE = /\b(?:permanently|irreversibl[ey]|destructive(?:ly)?|cannot be undone|side effects?)\b/iu;

/** What a description says that it does: its first word, or a word that leaves no doubt. */
export const dangerousDescription = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return undefined;
  const [first = ''] = wordsOf(text);
  return isDangerous(first) ? first : GRAVE.exec(text)?.[0];
};

const EXECUTED: ReadonlySet<string> = new Set(['command', 'cmd', 'shell', 'code', 'script', 'sql', 'statement']);

/** A parameter whose value is likely to be executed. */
export const executedParameter = (names: readonly string[]): string | undefined =>
  names.find((name) => wordsOf(name).some((word) => EXECUTED.has(word)));
