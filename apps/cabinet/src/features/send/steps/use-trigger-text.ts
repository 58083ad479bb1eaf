import { useTranslation } from 'react-i18next';
import type { FallbackValues } from '../form/send-values.ts';

/** A fallback's triggers in words, shown between two cards of the chain. */
export function useTriggerText(): (fallback: FallbackValues) => string {
  const { t, i18n } = useTranslation();
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' });
  const names = (statuses: FallbackValues['except']) =>
    list.format(statuses.map((status) => t(`common:status.${status}`)));
  return ({ onStatus, timeout, except, reply }) => {
    const phrases = [
      onStatus.length > 0 && t('send:when.status', { statuses: names(onStatus) }),
      // Without statuses to skip, and at zero, the time starts nothing.
      timeout !== '' &&
        timeout > 0 &&
        except.length > 0 &&
        t('send:when.timeoutExcept', { count: timeout, statuses: names(except) }),
      reply.trim() && t('send:when.reply', { text: reply.trim() }),
    ].filter((text) => !!text) as string[];
    return phrases.length ? list.format(phrases) : t('send:when.never');
  };
}
