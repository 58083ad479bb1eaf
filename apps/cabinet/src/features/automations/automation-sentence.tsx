import {
  templates,
  type Automation,
  type AutomationStep,
  type AutomationTrigger,
} from '@heliograph/contract';
import type { WaitUnit } from '@heliograph/domain';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { rowQuery } from '../../core/row-calls.ts';
import { useCan } from '../../core/settings.ts';
import { useFieldName } from '../../ui/use-field-name.ts';
import { contactListQuery } from '../contact-lists/contact-lists.api.ts';
import { useOwnSegments } from '../contact-lists/segments/segments.api.ts';

const templateQuery = rowQuery('templates', templates.get);

const UNITS = { minutes: 'minute', hours: 'hour', days: 'day' } as const;
/** "3 days" in the language. */
export const duration = (locale: string, amount: number, unit: WaitUnit): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: UNITS[unit], unitDisplay: 'long' }).format(
    amount,
  );

/** "When a contact is added to “Guests”". */
export function When({ row }: { row: Automation }) {
  const { t, i18n } = useTranslation();
  const fieldName = useFieldName(row.OwnerId);
  const trigger = row.trigger as unknown as AutomationTrigger;
  switch (trigger.when) {
    case 'listed':
      return (
        <Named
          id={trigger.ListId}
          of="list"
          text={(name) => t('automations:sentence.listed', { name })}
        />
      );
    case 'segment':
      return (
        <Named
          id={trigger.SegmentId}
          of="segment"
          text={(name) => t('automations:sentence.segment', { name })}
        />
      );
    case 'date': {
      const { time } = trigger;
      const values = { field: fieldName(trigger.field), time };
      if (!trigger.ListId) return t('automations:sentence.date', values);
      return (
        <Named
          id={trigger.ListId}
          of="list"
          text={(name) => t('automations:sentence.dateOf', { ...values, name })}
        />
      );
    }
    case 'silence':
      return t('automations:sentence.silence', {
        time: duration(i18n.language, trigger.days, 'days'),
      });
    case 'keyword':
      return t(`automations:sentence.keyword.${trigger.mode}`, {
        words: new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
          trigger.keywords.map((word) => t('automations:quoted', { text: word })),
        ),
      });
  }
}

const MAX_SHOWN = 60;
const shortened = (text: string) =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;

/** A step in words. */
export function StepText({ step }: { step: AutomationStep }) {
  const { t, i18n } = useTranslation();
  if (step.do === 'template')
    return (
      <Named
        id={step.TemplateId}
        of="template"
        text={(name) => t('automations:sentence.template', { name })}
      />
    );
  return plainText(t, i18n.language, step);
}

function plainText(
  t: TFunction,
  locale: string,
  step: Exclude<AutomationStep, { do: 'template' }>,
): string {
  switch (step.do) {
    case 'wait':
      return t('automations:sentence.wait', { time: duration(locale, step.amount, step.unit) });
    case 'message':
      return t('automations:sentence.message', {
        type: t(`common:type.${step.type}`),
        text: shortened(step.text),
      });
    case 'tag':
      return t('automations:sentence.tag', {
        tags: [...step.add.map((tag) => `+${tag}`), ...step.remove.map((tag) => `−${tag}`)].join(
          ' ',
        ),
      });
    case 'stop':
      return t('automations:sentence.stop');
  }
}

/** All steps, one after the other. */
export function Then({ row }: { row: Automation }) {
  return (row.steps as unknown as AutomationStep[]).map((step, i) => (
    <Fragment key={step.id}>
      {i > 0 && ' → '}
      <StepText step={step} />
    </Fragment>
  ));
}

/** A sentence with the name of what it is about, which is loaded. */
function Named({
  id,
  of,
  text,
}: {
  id: string;
  of: 'list' | 'segment' | 'template';
  text: (name: string) => string;
}) {
  const { t } = useTranslation();
  const can = useCan();
  const segments = useOwnSegments();
  const list = useQuery({
    ...contactListQuery(id),
    enabled: of === 'list' && can('contactLists.get'),
    retry: false,
  });
  const template = useQuery({
    ...templateQuery(id),
    enabled: of === 'template' && can('templates.get'),
    retry: false,
  });
  if (of === 'segment') {
    const segment = segments?.find((one) => one.id === id);
    return text(segment?.title ?? (segments ? t('automations:gone') : '…'));
  }
  const { data, error } = of === 'list' ? list : template;
  return text(data?.title ?? (error ? t('automations:gone') : '…'));
}
