import { useEffect, useRef, useState } from 'react';

interface Versioned {
  id: string;
  updatedAt?: string;
}
type Versions = ReadonlyMap<string, string | undefined>;

const FLASH_MS = 1200;
const NO_IDS: ReadonlySet<string> = new Set();

/** Rows that were added or changed between two versions of the same list. */
function changedIds(before: Versions, rows: Versioned[]): Set<string> {
  return new Set(
    rows.filter((r) => !before.has(r.id) || before.get(r.id) !== r.updatedAt).map((r) => r.id),
  );
}

/** Ids of rows to highlight for a moment: rows that changed by themselves, not because the filters changed. */
export function useHighlights(rows: Versioned[], requestKey: string): ReadonlySet<string> {
  const seen = useRef<{ requestKey: string; versions: Versions }>(null);
  const [highlighted, setHighlighted] = useState<ReadonlySet<string>>(NO_IDS);
  useEffect(() => {
    const before = seen.current;
    seen.current = { requestKey, versions: new Map(rows.map((r) => [r.id, r.updatedAt])) };
    if (before?.requestKey !== requestKey || before.versions.size === 0) return;
    const ids = changedIds(before.versions, rows);
    if (ids.size) setHighlighted(ids);
  }, [rows, requestKey]);
  useEffect(() => {
    if (!highlighted.size) return;
    const timer = setTimeout(() => setHighlighted(NO_IDS), FLASH_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);
  return highlighted;
}
