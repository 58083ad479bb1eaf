import * as z from 'zod';

const columns = z.record(z.string(), z.boolean());
const Look = z.object({
  /** Only what the person changed; the rest stands as the page has it. */
  columns: columns.default({}),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  views: z.array(z.object({ name: z.string(), query: z.string(), columns })).default([]),
});

/** How one person looks at one list: columns, density, and filters kept under a name. */
export type Look = z.output<typeof Look>;
export type View = Look['views'][number];
export type Density = Look['density'];

/** Whatever cannot be read, from an older version or by hand, is as if nothing was kept. */
export function readLook(text: string | null): Look {
  try {
    return Look.parse(JSON.parse(text ?? '{}'));
  } catch {
    return Look.parse({});
  }
}

interface Column {
  id: string;
  isOptional?: boolean;
  hideBelow?: string;
}

/** The columns to draw. One that was asked for by name is not taken away by a small window. */
export function shownColumns<C extends Column>(all: C[], chosen: Look['columns']): C[] {
  const shown = all
    .filter((c) => chosen[c.id] ?? !c.isOptional)
    .map((c) => (chosen[c.id] && c.hideBelow ? { ...c, hideBelow: undefined } : c));
  return shown.length ? shown : all.slice(0, 1);
}

/** Kept under a name; the same name again replaces. */
export function saveView(views: View[], view: View): View[] {
  const at = views.findIndex((v) => v.name === view.name);
  return at < 0 ? [...views, view] : views.with(at, view);
}

/** A taken or empty name changes nothing. */
export function renameView(views: View[], from: string, to: string): View[] {
  if (!to || views.some((v) => v.name === to)) return views;
  return views.map((v) => (v.name === from ? { ...v, name: to } : v));
}

export function removeView(views: View[], name: string): View[] {
  return views.filter((v) => v.name !== name);
}
