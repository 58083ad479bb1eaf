import { textGenerator, type SendingType } from '@heliograph/contract';
import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { errorText, retryAt } from '../../../core/errors.ts';
import type { Locale } from '../../../core/i18n/locales.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { GeneratorFields } from './generator-fields.tsx';
import { generatorErrors, NO_GENERATOR, toForm, type GeneratorValues } from './generator-values.ts';
import { useLock } from '../form/use-lock.ts';
import { WordByWord } from './word-by-word.tsx';

/** Specification, section 9. */
const DEBOUNCE_MS = 500;

interface GeneratorDialogProps {
  channel: SendingType;
  text: string;
  onClose: () => void;
  onApply: (text: string) => void;
}

/** Has a text written from what it is to say. */
export function GeneratorDialog({ channel, text, onClose, onApply }: GeneratorDialogProps) {
  const { t, i18n } = useTranslation();
  const [values, setValues] = useState<GeneratorValues>({
    ...NO_GENERATOR,
    language: i18n.language as Locale,
  });
  const [asked, setAsked] = useState(false);
  const { left, lock } = useLock('generator');
  const isLocked = left > 0;
  const { mutate, data, error, isPending, submittedAt } = useMutationOnce({
    mutationFn: () =>
      api(textGenerator.generate, { body: { channel, formValues: toForm(values, channel) } }),
    onError(refused) {
      const until = retryAt(refused, Date.now());
      if (until) lock(until);
    },
    meta: { showsErrors: true },
  });
  const generate = useDebouncedCallback(() => mutate(), { delay: DEBOUNCE_MS, leading: true });
  const errors = generatorErrors(values, channel);
  const result = isPending ? undefined : data?.result;
  // What is new stands above the buttons, which may be out of a small screen then.
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result !== undefined || isLocked) foot.current?.scrollIntoView({ block: 'nearest' });
  }, [result, isLocked]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The dialog stands inside the wizard's tree, though not in its document.
    event.stopPropagation();
    setAsked(true);
    const [wrong] = Object.keys(errors);
    if (wrong) event.currentTarget.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus();
    else if (!isPending && !isLocked) generate();
  };
  const isLimited = !!error && retryAt(error, 0) > 0;
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('send:generator.title')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <GeneratorFields
            channel={channel}
            values={values}
            errors={asked ? errors : {}}
            text={text}
            onChange={setValues}
          />
          {isLocked && (
            <Alert color="yellow" role="alert">
              {t('send:generator.limit')}
            </Alert>
          )}
          {!!error && !isLimited && (
            <Alert color="red" role="alert">
              {errorText(t, error)}
            </Alert>
          )}
          <div aria-live="polite" aria-busy={isPending}>
            {isPending && <span className="visually-hidden">{t('send:generator.writing')}</span>}
            {result !== undefined && (
              <Paper withBorder p="sm" bg="var(--mantine-color-default-hover)">
                <span className="visually-hidden">
                  {t('send:generator.ready', { text: result })}
                </span>
                <Text size="sm" aria-hidden style={{ whiteSpace: 'pre-wrap' }}>
                  <WordByWord key={submittedAt} text={result} />
                </Text>
              </Paper>
            )}
          </div>
          <Group justify="flex-end" ref={foot}>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              variant={result === undefined ? 'filled' : 'default'}
              loading={isPending}
              disabled={isLocked}
            >
              {isLocked
                ? t('send:generator.generateIn', { count: left })
                : t(result === undefined ? 'send:generator.generate' : 'send:generator.again')}
            </Button>
            {result !== undefined && (
              <Button
                onClick={() => {
                  onApply(result);
                  onClose();
                }}
              >
                {t('send:generator.apply')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
