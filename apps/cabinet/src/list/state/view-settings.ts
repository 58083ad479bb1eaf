import * as z from 'zod';

const columns = z.record(z.string(), z.boolean());
const ViewSettings = z.object({
  /** Only the columns that the user showed or hid; the others follow the page's defaults. */
  columns: columns.default({}),
  views: z.array(z.object({ name: z.string(), query: z.string(), columns })).default([]),
});

/** A user's settings of one list: columns and named views. The row spacing is that of all lists. */
export type ViewSettings = z.output<typeof ViewSettings> & { density: Density };
export type View = ViewSettings['views'][number];
export type Density = 'comfortable' | 'compact';

/** Settings that cannot be parsed (an older version, edited by hand) are replaced with the defaults. */
export function readViewSettings(stored: unknown): Omit<ViewSettings, 'density'> {
  return ViewSettings.safeParse(stored ?? {}).data ?? ViewSettings.parse({});
}

interface Column {
  id: string;
  isOptional?: boolean;
  hideBelow?: string;
}

/** The columns to draw. A column that the user switched on is shown in a small window too. */
export function shownColumns<C extends Column>(all: C[], chosen: ViewSettings['columns']): C[] {
  const shown = all
    .filter((c) => chosen[c.id] ?? !c.isOptional)
    .map((c) => (chosen[c.id] && c.hideBelow ? { ...c, hideBelow: undefined } : c));
  return shown.length ? shown : all.slice(0, 1);
}

/** A view with the same name is replaced. */
export function saveView(views: View[], view: View): View[] {
  const at = views.findIndex((v) => v.name === view.name);
  return at < 0 ? [...views, view] : views.with(at, view);
}

/** An empty name, or the name of another view, changes nothing. */
export function renameView(views: View[], from: string, to: string): View[] {
  if (!to || views.some((v) => v.name === to)) return views;
  return views.map((v) => (v.name === from ? { ...v, name: to } : v));
}

export function removeView(views: View[], name: string): View[] {
  return views.filter((v) => v.name !== name);
}
