/** What tells the two brands of the product apart. */
export const COLORS: Record<'main' | 'alternate', Record<string, string>> = {
  main: { primary: '#1c6dd0', accent: '#f5a524' },
  alternate: { primary: '#0f766e', accent: '#e11d48' },
};
