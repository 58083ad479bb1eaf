import type { AuditRecord } from '@heliograph/contract';
import type { TFunction } from 'i18next';

/** The action in words. An action without its own text is described by its noun and verb. */
export function actionText(t: TFunction, action: string): string {
  const own = t(`audit:action.${action}`, { defaultValue: '' });
  if (own) return own;
  const [noun = '', verb = ''] = action.split('.');
  return t('audit:change', {
    noun: t(`audit:noun.${noun}`, { defaultValue: noun }),
    verb: t(`audit:verb.${verb}`, { defaultValue: t('audit:verb.other') }),
  });
}

/** The actor by name; with both names when a manager acted as another account, and with its API token. */
export function actorText(t: TFunction, { Actor, User, Token }: AuditRecord): string {
  if (!Actor) return t('audit:nobody');
  const actor = User
    ? t('audit:as', { username: Actor.username, other: User.username })
    : Actor.username;
  return Token ? t('audit:byToken', { actor, token: tokenText(Token) }) : actor;
}

/** The description of a token, or the prefix of one that was removed. */
const tokenText = ({ description, prefix, id }: NonNullable<AuditRecord['Token']>): string =>
  description ?? prefix ?? id;

/** Fields of both states, each with what it was and what it is. */
export function changesOf({ before, after }: Pick<AuditRecord, 'before' | 'after'>) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => ({
    name,
    before: valueText(before?.[name]),
    after: valueText(after?.[name]),
  }));
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The label of a field, such as `data.firstName`; its name in the API where the cabinet has none. */
export function fieldLabel(t: TFunction, name: string): string {
  const field = name.slice(name.lastIndexOf('.') + 1);
  return t(`audit:fieldName.${field}`, { defaultValue: name });
}

/** The fields that changed, for a line of a list: those that have words. The record has all of them. */
export const changedText = (t: TFunction, record: AuditRecord): string =>
  changesOf(record)
    .flatMap(({ name, before, after }) => {
      const label = fieldLabel(t, name);
      if (label === name) return [];
      const [was, is] = [before, after].map((value) => shownValue(t, value));
      return [t('common:labelled', { label, value: was ? `${was} → ${is}` : is })];
    })
    .join(' · ');

/** Values are texts of JSON; a switch has words. */
export function shownValue(t: TFunction, value: string): string {
  if (value === 'true') return t('audit:yes');
  return value === 'false' ? t('audit:no') : value;
}
