import { links } from '@heliograph/contract';
import { Alert, Button, Code, Group, Input, SegmentedControl, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { firstOf, focusField } from '../../../core/forms/form-fields.ts';
import { useCan } from '../../../core/settings.ts';
import { showFailure } from '../../../core/toast.tsx';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { RecentLinks } from './recent-links.tsx';
import { UtmFields } from './utm-fields.tsx';
import { losesCapitals, NO_UTM, utmErrors, utmLink, utmTarget } from './utm.ts';

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
