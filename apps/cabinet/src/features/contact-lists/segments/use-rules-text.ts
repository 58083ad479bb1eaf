import type { SegmentRules } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';

type Activity = SegmentRules['activity'][number];

/** "Tag: vip · no reply for 90 days", and without conditions "All contacts". */
export function useRulesText(): (rules: SegmentRules) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const activityText = ({ event, happened, days: count }: Activity) =>
    happened
      ? t(`contactLists:segments.within.${event}`, { count })
      : t(`contactLists:segments.without.${event}`, { count });
  return ({ where: { tag, search, createdAt }, activity }) =>
    [
      tag && t('contactLists:segments.byTag', { tag }),
      search && t('contactLists:segments.bySearch', { search }),
      createdAt?.$gt &&
        t('contactLists:segments.since', { time: formats.day(createdAt.$gt.slice(0, 10)) }),
      createdAt?.$lt &&
        t('contactLists:segments.before', { time: formats.day(createdAt.$lt.slice(0, 10)) }),
      ...activity.map(activityText),
    ]
      .filter(Boolean)
      .join(' · ') || t('contactLists:segments.all');
}
