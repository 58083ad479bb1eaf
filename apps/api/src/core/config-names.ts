/** Names beside those of the settings that look like one: they belong to the compose file and to Node. */
const OTHERS = new Set(['POSTGRES_PASSWORD', 'NODE_OPTIONS', 'NODE_PATH']);
/** Short names of the environment differ by a letter or two without being misspelt (`HOST`, `HOME`). */
const MIN_LENGTH = 6;

/** Variables that are no setting and differ from one by a typing mistake: two of them in names of twelve letters or more. */
export function misspelt(
  given: readonly string[],
  settings: readonly string[],
): { name: string; meant: string }[] {
  const known = new Set([...settings, ...OTHERS]);
  return given.flatMap((name) => {
    if (known.has(name) || name.length < MIN_LENGTH || name.length > 60) return [];
    const allowed = name.length < 12 ? 1 : 2;
    const [meant] = settings.filter((setting) => isNear(name.toUpperCase(), setting, allowed));
    return meant ? [{ name, meant }] : [];
  });
}

/** Whether at most `allowed` letters are missing, added, wrong or swapped (optimal string alignment distance). */
function isNear(a: string, b: string, allowed: number): boolean {
  if (Math.abs(a.length - b.length) > allowed) return false;
  let older: number[] = [];
  let former = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(former[j]! + 1, row[j - 1]! + 1, former[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, older[j - 2]! + 1);
      row.push(best);
    }
    [older, former] = [former, row];
  }
  return former[b.length]! <= allowed;
}
