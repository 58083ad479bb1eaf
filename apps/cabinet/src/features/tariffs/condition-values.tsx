import { SENDING_TYPES, TRAFFIC_GROUPS } from '@heliograph/domain';
import { MultiSelect, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import type { Tag } from './rule-values.ts';

interface ConditionValuesProps extends BoundField {
  tag: Tag;
  value: string[];
}

/** Values of a condition, of which one must be met: chosen where there are only so many, typed elsewhere. */
export function ConditionValues({ tag, ...bound }: ConditionValuesProps) {
  const { t } = useTranslation();
  const label = t('tariffCatalogue:values');
  const chosen = {
    type: SENDING_TYPES.map((value) => ({ value, label: t(`common:type.${value}`) })),
    group: TRAFFIC_GROUPS.map((value) => ({ value, label: t(`common:group.${value}`) })),
  };
  if (tag === 'type' || tag === 'group')
    return <MultiSelect {...bound} label={label} data={chosen[tag]} searchable />;
  return (
    <TagsInput
      {...bound}
      label={label}
      description={t(`tariffCatalogue:valueHints.${tag}`)}
      splitChars={tag === 'text' ? [] : [',', ';', '\n']}
      acceptValueOnBlur
      autoComplete="off"
      spellCheck={false}
    />
  );
}
