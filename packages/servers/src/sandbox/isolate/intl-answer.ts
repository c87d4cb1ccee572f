import { z } from 'zod';

/** What the guest's `Intl` asks of the host: which formatter, made how, and which of its methods. */
const requestShape = z.object({
  kind: z.enum([
    'Intl',
    'NumberFormat',
    'DateTimeFormat',
    'PluralRules',
    'RelativeTimeFormat',
    'ListFormat',
    'Collator',
    'DisplayNames',
    'Segmenter',
  ]),
  locales: z.union([z.string(), z.array(z.string())]).optional(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  method: z.enum([
    'format',
    'formatToParts',
    'formatRange',
    'select',
    'compare',
    'of',
    'segment',
    'resolvedOptions',
    'supportedLocalesOf',
    'getCanonicalLocales',
  ]),
  args: z.array(z.unknown()),
});

type IntlRequest = z.infer<typeof requestShape>;
type Formatter = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>;
type Kind = new (locales: unknown, options: unknown) => Formatter;

const MAX_KEPT = 50;
const kept = new Map<string, Formatter>();

/** Formatters are expensive to make and always alike. */
const formatterOf = ({ kind, locales, options }: IntlRequest): Formatter => {
  const key = JSON.stringify([kind, locales, options]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const Kind = (Intl as unknown as Readonly<Record<string, Kind>>)[kind];
  if (Kind === undefined) throw new RangeError(`Intl.${kind} is not available.`);
  // The guest lives in UTC, whatever the host does.
  const made = new Kind(locales ?? 'en-US', kind === 'DateTimeFormat' ? { timeZone: 'UTC', ...options } : options);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, made);
  return made;
};

const specialShape = z.union([
  z.object({ date: z.number().nullable() }),
  z.object({ bigint: z.string() }),
  z.object({ number: z.string() }),
]);

/** Dates, big integers and numbers that JSON does not have. */
const argument = (value: unknown): unknown => {
  const special = specialShape.safeParse(value).data;
  if (special === undefined) return value;
  if ('date' in special) return new Date(special.date ?? Number.NaN);
  return 'bigint' in special ? BigInt(special.bigint) : Number(special.number);
};

const valueOf = (request: IntlRequest): unknown => {
  const { kind, locales, method, args } = request;
  if (method === 'getCanonicalLocales') return Intl.getCanonicalLocales(locales);
  if (method === 'supportedLocalesOf') {
    return kind === 'Intl' ? [] : (Intl[kind] as typeof Intl.NumberFormat).supportedLocalesOf(locales ?? []);
  }
  const formatter = formatterOf(request);
  const run = formatter[method];
  if (run === undefined) throw new RangeError(`Intl.${kind} has no ${method}.`);
  const value = run.apply(formatter, args.map(argument));
  return method === 'segment' ? [...(value as Iterable<{ readonly segment: string }>)] : value;
};

/** The answer as JSON: a value, or the message of what the caller did wrong. */
export const intlAnswer = (text: string): string => {
  try {
    return JSON.stringify({ value: valueOf(requestShape.parse(JSON.parse(text))) });
  } catch (error) {
    const message = error instanceof RangeError || error instanceof TypeError ? error.message : 'Invalid arguments.';
    return JSON.stringify({ error: message });
  }
};
