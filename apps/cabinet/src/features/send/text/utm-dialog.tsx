import { links } from '@heliograph/contract';
import {
  Alert,
  Button,
  Code,
  Group,
  Input,
  SegmentedControl,
  Stack,
  NativeSelect,
  SimpleGrid,
  TextInput,
  Text,
} from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { firstOf, focusField } from '../../../core/forms/form-fields.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { useCan, useSettings } from '../../../core/settings.ts';
import { showFailure } from '../../../core/toast.tsx';
import { useFormats } from '../../../core/use-formats.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import classes from '../form/picker.module.css';
import {
  losesCapitals,
  NO_UTM,
  utmErrors,
  utmLink,
  utmTarget,
  MEDIUMS,
  SOURCES,
  type UtmErrors,
  type UtmValues,
} from './utm.ts';

interface UtmDialogProps {
  onClose: () => void;
  onInsert: (link: string) => void;
}

/** Builds a link with UTM parameters: in full, or as a short link. */
export function UtmDialog({ onClose, onInsert }: UtmDialogProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [values, setValues] = useState(NO_UTM);
  const [mode, setMode] = useState<'full' | 'short'>('full');
  const [asked, setAsked] = useState(false);
  const errors = utmErrors(values);
  const isRight = Object.keys(errors).length === 0;
  const isShort = mode === 'short';
  const insert = (link: string) => {
    onInsert(link);
    onClose();
  };
  const shorten = useMutationOnce({
    mutationFn: (url: string) => api(links.create, { body: { url } }),
    onSuccess: ({ shortUrl }) => insert(shortUrl),
    onError: (error) => showFailure(t('send:utm.notifications.error'), error),
    meta: { invalidates: ['links'], waitsForRefetch: false, showsErrors: true },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The dialog stands inside the wizard's tree, though not in its document.
    event.stopPropagation();
    setAsked(true);
    const wrong = firstOf(event.currentTarget, Object.keys(errors));
    if (wrong) focusField(event.currentTarget, wrong);
    if (!isRight || shorten.isPending) return;
    if (isShort) shorten.mutate(utmTarget(values));
    else insert(utmLink(values));
  };
  return (
    <Dialog opened busy={shorten.isPending} onClose={onClose} title={t('send:utm.title')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <UtmFields values={values} errors={errors} asked={asked} onChange={setValues} />
          {can('links.create') && (
            <SegmentedControl
              fullWidth
              aria-label={t('send:utm.mode')}
              value={mode}
              onChange={setMode}
              data={[
                { value: 'full', label: t('send:utm.full') },
                { value: 'short', label: t('send:utm.short') },
              ]}
            />
          )}
          <div role="status">
            {isRight && (
              <Input.Wrapper label={isShort && t('send:utm.leadsTo')} labelElement="div">
                <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  {isShort ? utmTarget(values) : utmLink(values)}
                </Code>
              </Input.Wrapper>
            )}
            {isRight && !isShort && losesCapitals(values.url) && (
              <Alert color="yellow" mt="xs">
                {t('send:utm.capitals')}
              </Alert>
            )}
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={shorten.isPending}>
              {t('send:utm.insert')}
            </Button>
          </Group>
          {isShort && can('links.get') && <RecentLinks onInsert={insert} />}
        </Stack>
      </form>
    </Dialog>
  );
}

interface UtmFieldsProps {
  values: UtmValues;
  errors: UtmErrors;
  /** True after the first submit: errors are shown from then on. */
  asked: boolean;
  onChange: (values: UtmValues) => void;
}

/** The page and its marks. */
function UtmFields({ values, errors, asked, onChange }: UtmFieldsProps) {
  const { t } = useTranslation();
  const { brand } = useSettings().frontend;
  const sources = SOURCES.filter((source) => brand === 'main' || source !== 'vk');
  const [preset, setPreset] = useState<(typeof SOURCES)[number]>('custom');
  const put = (name: keyof UtmValues, value: string) => onChange({ ...values, [name]: value });
  const field = (name: keyof UtmValues) => {
    const fault = asked || (name === 'url' && errors.url === 'domain') ? errors[name] : undefined;
    return {
      'data-path': name,
      label: t(`send:utm.${name}`),
      value: values[name],
      onChange: (event: { currentTarget: { value: string } }) =>
        put(name, event.currentTarget.value),
      error: fault && t(fault === 'domain' ? 'send:utm.domain' : 'errors:rule.required'),
    };
  };
  return (
    <>
      <TextInput {...field('url')} required data-autofocus placeholder="shop.com/sale" />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t('send:utm.preset')}
          value={preset}
          onChange={(event) => {
            const next = event.currentTarget.value as typeof preset;
            setPreset(next);
            put('source', next === 'custom' ? '' : next);
          }}
          data={sources.map((value) => ({
            value,
            label: value === 'custom' ? t('send:utm.custom') : value,
          }))}
        />
        <TextInput {...field('source')} required disabled={preset !== 'custom'} />
        <NativeSelect {...field('medium')} required data={[...MEDIUMS]} />
        <TextInput {...field('campaign')} required />
        <TextInput {...field('content')} />
        <TextInput {...field('term')} />
      </SimpleGrid>
    </>
  );
}

const recentQuery = queryOptions({
  // Not a `find` key: socket events are merged into those, and this list is refetched instead.
  queryKey: keysOf('links').of('recent'),
  queryFn: ({ signal }) => api(links.find, { query: { limit: 5 }, signal }),
});

/** The short links that were made last and how often they were followed; one of them may be sent again. */
function RecentLinks({ onInsert }: { onInsert: (link: string) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery(recentQuery);
  if (!data?.data.length) return null;
  return (
    <section aria-label={t('send:utm.recent')}>
      <Text size="sm" fw={500} mb={4}>
        {t('send:utm.recent')}
      </Text>
      <ul className={classes.list}>
        {data.data.map(({ id, url, shortUrl, clicks, previews }) => (
          <li key={id}>
            <button type="button" className={classes.option} onClick={() => onInsert(shortUrl)}>
              <Text span size="sm" truncate>
                {url.replace(/^https?:\/\//, '')}
              </Text>
              {clicks !== null && (
                <span className={classes.aside}>
                  {t('send:utm.clicks', { count: clicks, number: formats.number(clicks) })}
                </span>
              )}
              {!!previews && (
                <span className={classes.aside} title={t('send:utm.previewsHint')}>
                  {t('send:utm.previews', { count: previews, number: formats.number(previews) })}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
