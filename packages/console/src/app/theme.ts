import { useEffect, useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'plugboard.theme';

const isTheme = (value: unknown): value is Theme => value === 'system' || value === 'light' || value === 'dark';

/** The theme of the last visit. */
export const storedTheme = (): Theme => {
  const value = localStorage.getItem(KEY);
  return isTheme(value) ? value : 'system';
};

export const showTheme = (theme: Theme): void => {
  document.documentElement.dataset['theme'] = theme;
};

/** Light, dark, or as the system has it; remembered in this browser. */
export const useTheme = (): readonly [Theme, (theme: Theme) => void] => {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    localStorage.setItem(KEY, theme);
    showTheme(theme);
  }, [theme]);
  return [theme, setTheme];
};
