interface SearchBoxProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  /** As wide as its frame. */
  readonly wide?: boolean;
  readonly onChange: (value: string) => void;
}

export const SearchBox = ({ label, placeholder = label, value, wide = false, onChange }: SearchBoxProps) => (
  <input
    type="search"
    className={wide ? undefined : 'search'}
    aria-label={label}
    placeholder={placeholder}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);
