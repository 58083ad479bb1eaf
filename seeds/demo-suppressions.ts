type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** People who get no messages of a demo account; none of them is on its contact lists. */
const ROWS: [address: string, reason: string, note: string | null, daysAgo: number][] = [
  ['+79005550191', 'stop', 'СТОП', 2],
  ['+79005550192', 'stop', 'Stop!', 9],
  ['+79005550193', 'link', null, 14],
  ['+79005550194', 'manual', 'Просила по телефону', 30],
  ['former.guest@heliograph.example', 'link', null, 41],
];

export async function seedSuppressions(query: Query, OwnerId: string): Promise<void> {
  const day = 86_400_000;
  for (const [n, [address, reason, note, daysAgo]] of ROWS.entries()) {
    const ms = (Date.now() - daysAgo * day).toString(16).padStart(12, '0');
    const id = `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-0000000009${String(n).padStart(2, '0')}`;
    await query(
      `insert into suppressions (id, owner_id, address, reason, note) values ($1, $2, $3, $4, $5)`,
      [id, OwnerId, address, reason, note],
    );
  }
}
