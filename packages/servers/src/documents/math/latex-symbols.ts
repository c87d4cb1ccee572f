const GREEK =
  'α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega';

const OPERATORS =
  '∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ± pm ∓ mp × times ÷ div · cdot ⋅ cdot ∗ ast ∘ circ ∙ bullet ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ∞ infty ∂ partial ∇ nabla √ surd ∀ forall ∃ exists ∄ nexists ∅ emptyset ∈ in ∉ notin ∋ ni ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∪ cup ∩ cap ∖ setminus ∧ wedge ∨ vee ¬ neg ⊕ oplus ⊗ otimes ⊥ perp ∥ parallel ∣ mid ∠ angle → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ↑ uparrow ↓ downarrow … ldots ⋯ cdots ⋮ vdots ⋱ ddots ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q} ℂ mathbb{C} ℓ ell ℏ hbar ℵ aleph ′ prime ° circ ⟨ langle ⟩ rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ∎ blacksquare ∴ therefore ∵ because ⋆ star † dagger';

const pairs = (text: string): readonly (readonly [string, string])[] => {
  const words = text.split(' ');
  return words.flatMap((word, index) => (index % 2 === 0 ? [[word, `\\${words[index + 1] ?? ''}`] as const] : []));
};

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ...pairs(GREEK),
  ...pairs(OPERATORS),
  ['−', '-'],
  ['‐', '-'],
  ['\u00A0', '~'],
  ['\u2009', '\\,'],
  ['\u2061', ''],
  ['\u2062', ''],
  ['\u2063', ''],
  ['\u200B', ''],
  ['{', '\\{'],
  ['}', '\\}'],
  ['%', '\\%'],
  ['#', '\\#'],
  ['&', '\\&'],
  ['$', '\\$'],
  ['_', '\\_'],
  ['\\', '\\backslash'],
  ['‖', '\\|'],
]);

const FUNCTIONS = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);

/** Letters of the mathematical alphabets as the plain letters they are variants of. */
const plainLetters = (text: string): string => (/[\u{1D400}-\u{1D7FF}]/u.test(text) ? text.normalize('NFKD') : text);

/** Text of a formula as LaTeX: each symbol by its command, with a space where a letter would run into it. */
export const latexText = (text: string): string => {
  const plain = plainLetters(text);
  if (FUNCTIONS.has(plain.trim())) return `\\${plain.trim()} `;
  return Array.from(plain, (character) => {
    const symbol = SYMBOLS.get(character);
    if (symbol === undefined) return character;
    return /^\\[A-Za-z]+$/u.test(symbol) ? `${symbol} ` : symbol;
  }).join('');
};

const ACCENTS: ReadonlyMap<string, string> = new Map([
  ['\u0302', 'hat'],
  ['^', 'hat'],
  ['ˆ', 'hat'],
  ['\u0303', 'tilde'],
  ['~', 'tilde'],
  ['˜', 'tilde'],
  ['\u0304', 'bar'],
  ['\u0305', 'overline'],
  ['¯', 'overline'],
  ['‾', 'overline'],
  ['_', 'underline'],
  ['\u0332', 'underline'],
  ['\u0307', 'dot'],
  ['˙', 'dot'],
  ['\u0308', 'ddot'],
  ['¨', 'ddot'],
  ['\u20D7', 'vec'],
  ['→', 'vec'],
  ['⏞', 'overbrace'],
  ['⏟', 'underbrace'],
]);

/** The command of an accent over or under something. */
export const accentCommand = (accent: string): string | undefined => {
  const name = ACCENTS.get(accent.trim());
  return name === undefined ? undefined : `\\${name}`;
};

const NAMED_DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['', '.'],
  ['{', '\\{'],
  ['}', '\\}'],
  ['‖', '\\|'],
  ['⟨', '\\langle '],
  ['⟩', '\\rangle '],
  ['⌈', '\\lceil '],
  ['⌉', '\\rceil '],
  ['⌊', '\\lfloor '],
  ['⌋', '\\rfloor '],
]);

export const delimiter = (text: string): string => NAMED_DELIMITERS.get(text) ?? text;

/** Formulas read better with single spaces, and none before what follows a command. */
export const tidyLatex = (latex: string): string =>
  latex
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ (?=[}^_()[\],.;])/gu, '')
    .trim();

/** In braces unless it is one character. */
export const group = (latex: string): string => {
  const tidy = tidyLatex(latex);
  return /^[A-Za-z0-9]$/u.test(tidy) ? tidy : `{${tidy}}`;
};

export const braces = (latex: string): string => `{${tidyLatex(latex)}}`;
