import { mayVary, type SendingType } from '@heliograph/contract';
import { CLICK_CODE_COST, MAX_STRETCH_HOURS } from '@heliograph/domain';
import {
  Alert,
  Button,
  Group,
  Stack,
  NativeSelect,
  Radio,
  SimpleGrid,
  Switch,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useState, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../../core/settings.ts';
import { MAX_LOCAL, useTimeZone } from '../../../core/time-zone.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { IconTemplate } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import { useOffersClicks } from '../form/click-links.ts';
import { Section } from '../form/section.tsx';
import { useMessage, useSendForm } from '../form/send-form.ts';
import { inOrder } from '../form/type-parts.ts';
import { usePrices } from '../form/use-prices.ts';
import { FallbackChain, useHasSenders } from './fallback-chain.tsx';
import { MessageParts } from './message-parts.tsx';
import { TemplateChips, type Applied } from './template.tsx';
import classes from './type-cards.module.css';

const TwoTexts = later(async () => (await import('./two-texts.tsx')).TwoTexts);
const SaveTemplate = later(async () => (await import('./save-template.tsx')).SaveTemplate);

const QUIET = {
  size: 'compact-sm',
  variant: 'subtle',
  leftSection: <IconTemplate size={16} aria-hidden />,
  // A long title takes two lines where there is little room.
  h: 'auto',
  mih: 26,
  styles: { label: { whiteSpace: 'normal', height: 'auto', overflow: 'visible' } },
} as const;

export function MessageStep({ applied }: { applied: Applied }) {
  const { t } = useTranslation();
  const { values } = useSendForm();
  const { setType } = useMessage(null);
  const types = inOrder(useSettings().sendings.types);
  const hasSenders = useHasSenders(types);
  const can = useCan();
  const [saving, setSaving] = useState<'change' | 'new' | null>(null);
  const { template, origin, choose } = applied;
  if (!types.length) return <Alert color="yellow">{t('send:noTypes')}</Alert>;
  return (
    <Stack>
      <Section title={t('send:message')}>
        <Stack>
          <TypeCards types={types} value={values.type} onChange={setType} />
          <TemplateChips applied={applied} />
          <MessageParts fallback={null} />
          <SecondText />
          <ClickSwitch />
          <Group justify="flex-end" gap="xs">
            {origin && can('templates.update') && (
              <Button {...QUIET} onClick={() => setSaving('change')}>
                {t('send:templateChange', { title: origin.title })}
              </Button>
            )}
            {can('templates.create') && (
              <Button {...QUIET} onClick={() => setSaving('new')}>
                {t('send:saveTemplate')}
              </Button>
            )}
          </Group>
        </Stack>
      </Section>
      <Section title={t('send:fallbacks')}>
        <FallbackChain types={types} hasSenders={hasSenders} />
      </Section>
      <Section title={t('send:schedule')}>
        <ScheduleFields />
      </Section>
      {saving && (
        <SaveTemplate
          values={values}
          target={saving === 'change' ? origin : null}
          inUse={template}
          onSaved={choose}
          onClose={() => setSaving(null)}
        />
      )}
    </Stack>
  );
}

/** Below the texts that have short links. */
function ClickSwitch() {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useSendForm();
  if (!useOffersClicks()) return null;
  return (
    <Switch
      label={t('send:clicks.label')}
      description={t('send:clicks.hint', { number: formats.number(CLICK_CODE_COST) })}
      checked={form.values.tellsWhoClicked}
      onChange={(event) => form.set({ tellsWhoClicked: event.currentTarget.checked })}
    />
  );
}

/** For messages whose text is what they say. */
function SecondText() {
  const { t } = useTranslation();
  const form = useSendForm();
  const { type, payload, variants } = form.values;
  if (!mayVary(type, { text: '-', audio: payload.audio })) return null;
  return (
    <>
      <Switch
        label={t('send:variants.try')}
        description={t('send:variants.hint')}
        checked={variants.isOn}
        onChange={(event) => form.field('variants.isOn').onChange(event.currentTarget.checked)}
      />
      {variants.isOn && <TwoTexts />}
    </>
  );
}

const HOURS = Array.from({ length: MAX_STRETCH_HOURS + 1 }, (_, n) => n);

function ScheduleFields() {
  const { t } = useTranslation();
  const form = useSendForm();
  const { when, hours } = form.values;
  const changeWhen = (next: string) =>
    form.set(next === 'now' ? { when: 'now', at: '' } : { when: 'later' });
  const zone = useTimeZone();
  return (
    <Stack>
      <Radio.Group label={t('send:whenLabel')} value={when} onChange={changeWhen}>
        <Stack gap="xs" mt="xs">
          <Radio value="now" label={t('send:now')} />
          <Radio value="later" label={t('send:later')} />
        </Stack>
      </Radio.Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {when === 'later' && (
          <TextInput
            type="datetime-local"
            max={MAX_LOCAL}
            label={t('send:at')}
            required
            {...form.field('at')}
          />
        )}
        <NativeSelect
          label={t('send:stretch')}
          {...form.field('hours')}
          value={String(hours)}
          onChange={(event) => form.set({ hours: Number(event.currentTarget.value) })}
          data={HOURS.map((n) => ({
            value: String(n),
            label: n ? t('send:hours', { count: n }) : t('send:noStretch'),
          }))}
        />
      </SimpleGrid>
      {(when === 'later' || hours > 0) && (
        <Text size="xs" c="dimmed">
          {t('send:zone', { zone })}
        </Text>
      )}
    </Stack>
  );
}

/** Cards that are shown first; the others on demand. */
const MAX_SHOWN = 6;

interface TypeCardsProps {
  types: SendingType[];
  value: SendingType;
  onChange: (type: SendingType) => void;
}

/** The channels of the account, each with its lowest price. */
function TypeCards({ types, value, onChange }: TypeCardsProps) {
  const { t } = useTranslation();
  const name = useId();
  const [all, setAll] = useState(false);
  const { priceText } = usePrices();
  const shown = all ? types : types.filter((type, i) => i < MAX_SHOWN || type === value);
  return (
    <fieldset className={classes.cards}>
      <legend className={classes.legend}>{t('send:type')}</legend>
      {shown.map((type) => (
        <label key={type} className={classes.card}>
          <input
            type="radio"
            name={name}
            value={type}
            checked={type === value}
            onChange={() => onChange(type)}
          />
          <span className={classes.name}>{t(`common:type.${type}`)}</span>
          <span className={classes.price}>{priceText(type)}</span>
        </label>
      ))}
      {shown.length < types.length && (
        <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
          {t('send:moreTypes', { count: types.length - shown.length })}
        </UnstyledButton>
      )}
    </fieldset>
  );
}
