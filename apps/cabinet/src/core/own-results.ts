const shown = new Set<string>();

/** Records what this tab has made and shows itself; other tabs of the user still get the toast of its notification. */
export function addOwnResult(key: string): void {
  shown.add(key);
}

export const isOwnResult = (key: unknown): boolean => typeof key === 'string' && shown.has(key);
