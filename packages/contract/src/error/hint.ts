/** Who reads a hint: somebody at a terminal, or a program that calls the API or an MCP endpoint. */
type Surface = 'api' | 'cli';

/** What the reader can do, in the words of each surface. */
export type SurfaceHint = Readonly<Record<Surface, string>>;

/** A text where the surfaces say the same. It names neither a command nor a route. */
export type Hint = string | SurfaceHint;

export const hintText = (hint: Hint, surface: Surface): string => (typeof hint === 'string' ? hint : hint[surface]);

/** The hint of a failure as it is told to others: `hint` for programs, `cli_hint` where a terminal has other words. */
interface ToldHint {
  readonly hint?: string | undefined;
  readonly cli_hint?: string | undefined;
}

export const tellHint = (hint: Hint): ToldHint =>
  typeof hint === 'string' ? { hint } : { hint: hint.api, cli_hint: hint.cli };

/** What was told, as a hint again. */
export const hearHint = ({ hint, cli_hint: cli }: ToldHint): Hint | undefined =>
  hint === undefined || cli === undefined ? (cli ?? hint) : { api: hint, cli };

/** What a failure advises a reader of this surface to do. */
export const hintFor = (told: ToldHint, surface: Surface): string | undefined =>
  surface === 'cli' ? (told.cli_hint ?? told.hint) : told.hint;

/** Several hints one after the other. */
export const joinHints = (hints: readonly Hint[]): Hint => ({
  api: hints.map((hint) => hintText(hint, 'api')).join(' '),
  cli: hints.map((hint) => hintText(hint, 'cli')).join(' '),
});

/** A failure as it is told at a terminal: with one hint, in the words of the command line. */
export const forTerminal = <Told extends ToldHint>({ cli_hint: cli, ...told }: Told): Omit<Told, 'cli_hint'> =>
  cli === undefined ? told : { ...told, hint: cli };
