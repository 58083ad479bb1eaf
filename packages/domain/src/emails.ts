/** The one spelling of an e-mail address, or null when it is none. `normalizeEmail(' Anna@Tea.example')` is 'anna@tea.example'. */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email) ? email : null;
}
