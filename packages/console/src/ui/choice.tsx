interface ChoiceProps<Value extends string | number> {
  /** What is chosen, where no visible label says it. */
  readonly label?: string;
  readonly id?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly value: Value | undefined;
  readonly options: readonly (readonly [Value, string])[];
  readonly disabled?: boolean;
  readonly onChange: (value: Value) => void;
}

/** One of several values. */
export const Choice = <Value extends string | number>({ label, options, onChange, ...rest }: ChoiceProps<Value>) => (
  <select
    {...rest}
    aria-label={label}
    onChange={(event) => {
      const picked = options[event.target.selectedIndex];
      if (picked !== undefined) onChange(picked[0]);
    }}
  >
    {options.map(([value, title]) => (
      <option key={value} value={value}>
        {title}
      </option>
    ))}
  </select>
);
