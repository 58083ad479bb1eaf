import type { SegmentCount as Count } from '@heliograph/contract';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';
import { segmentCountQuery } from './segments.api.ts';

/** "1,234", or "about 1,234" if it is estimated. */
export function useCountText(): (count: Count) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  return ({ count, exact }) => {
    const number = formats.number(count);
    return exact ? number : t('common:aboutAsMany', { number });
  };
}

/** How many contacts a saved segment has now. */
export function SegmentCount({ id }: { id: string }) {
  const textOf = useCountText();
  const { data, isError } = useQuery(segmentCountQuery(id));
  if (isError) return '–';
  if (!data) return <Skeleton height={16} width={60} ml="auto" />;
  return (
    <Text span inherit className="numeric">
      {textOf(data)}
    </Text>
  );
}
