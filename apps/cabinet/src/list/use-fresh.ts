import { useEffect, useRef, useState } from 'react';

interface Versioned {
  id: string;
  updatedAt?: string;
}
type Versions = ReadonlyMap<string, string | undefined>;

const FLASH_MS = 1200;
const NOBODY: ReadonlySet<string> = new Set();

/** Rows that came or changed between two looks at the same list. */
function freshIds(before: Versions, rows: Versioned[]): Set<string> {
  return new Set(
    rows.filter((r) => !before.has(r.id) || before.get(r.id) !== r.updatedAt).map((r) => r.id),
  );
}

/** Ids to highlight for a moment: what changed by itself, not what the visitor asked to see. */
export function useFresh(rows: Versioned[], askKey: string): ReadonlySet<string> {
  const seen = useRef<{ askKey: string; versions: Versions }>(null);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(NOBODY);
  useEffect(() => {
    const before = seen.current;
    seen.current = { askKey, versions: new Map(rows.map((r) => [r.id, r.updatedAt])) };
    if (before?.askKey !== askKey || before.versions.size === 0) return;
    const ids = freshIds(before.versions, rows);
    if (ids.size) setFresh(ids);
  }, [rows, askKey]);
  useEffect(() => {
    if (!fresh.size) return;
    const timer = setTimeout(() => setFresh(NOBODY), FLASH_MS);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}
