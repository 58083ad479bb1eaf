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
  if (tag === 'type' || tag === 'group') {
    const names = tag === 'type' ? SENDING_TYPES : TRAFFIC_GROUPS;
    return (
      <MultiSelect
        {...bound}
        label={label}
        data={names.map((value) => ({ value, label: t(`common:${tag}.${value}`) }))}
        searchable
      />
    );
  }
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
