import { draftKey, readDraft as readText, saveDraft as saveText } from '../../core/drafts.ts';
import { emptyValues, type RequisiteValues } from './requisite-values.ts';

/** Of this tab: another tab may fill in another form. It ends with the tab. */
const keyOf = (userId: string, id: string) => draftKey(userId, `requisites.${id}`);

type Shape = { [name: string]: Shape | string | boolean | null };

/** The values of `draft` where they have the type of those of the form. */
function sameShape(form: Shape, draft: unknown): Shape {
  const given = (typeof draft === 'object' && draft !== null ? draft : {}) as Shape;
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => {
      const stored = Object.hasOwn(given, name) ? given[name] : undefined;
      if (typeof value === 'object' && value !== null) return [name, sameShape(value, stored)];
      return [name, typeof stored === typeof value ? stored! : value];
    }),
  );
}

/** What was typed into the form before it was left; null without a draft. */
export function readDraft(userId: string, id: string): RequisiteValues | null {
  try {
    const { text = 'null' } = readText(keyOf(userId, id), 'tab') ?? {};
    const draft = JSON.parse(text) as unknown;
    if (!draft) return null;
    return sameShape(emptyValues() as unknown as Shape, draft) as unknown as RequisiteValues;
  } catch {
    return null;
  }
}

export function saveDraft(userId: string, id: string, values: RequisiteValues | null): void {
  saveText(keyOf(userId, id), values && JSON.stringify(values), { area: 'tab' });
}
