import { textGenerator, type SendingType, TONES } from '@heliograph/contract';
import {
  Alert,
  Button,
  Group,
  Paper,
  Stack,
  Text,
  Checkbox,
  NativeSelect,
  SimpleGrid,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDebouncedCallback, useReducedMotion } from '@mantine/hooks';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { errorText, retryAt, ruleText } from '../../../core/errors.ts';
import { type Locale, LOCALE_NAMES, LOCALES } from '../../../core/i18n/locales.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useLock } from '../form/use-lock.ts';
import {
  generatorErrors,
  NO_GENERATOR,
  toForm,
  type GeneratorValues,
  lengthOf,
} from './generator-values.ts';

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
    <Dialog opened onClose={onClose} size={600} title={t('send:generator.title')}>
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

interface GeneratorFieldsProps {
  channel: SendingType;
  values: GeneratorValues;
  errors: Partial<Record<keyof GeneratorValues, string>>;
  /** The message's text, for rephrasing. */
  text: string;
  onChange: (values: GeneratorValues) => void;
}

/** Subject, length and tone of the generated text. */
function GeneratorFields({ channel, values, errors, text, onChange }: GeneratorFieldsProps) {
  const { t } = useTranslation();
  const put = (patch: Partial<GeneratorValues>) => onChange({ ...values, ...patch });
  const field = (name: Exclude<keyof GeneratorValues, 'endQuestion' | 'addEmojis'>) => ({
    label: t(`send:generator.${name}`),
    name,
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      put({ [name]: event.currentTarget.value }),
    error: errors[name] && ruleText(t, errors[name]),
  });
  const box = (name: 'endQuestion' | 'addEmojis') => (
    <Checkbox
      label={t(`send:generator.${name}`)}
      checked={values[name]}
      onChange={(event) => put({ [name]: event.currentTarget.checked })}
    />
  );
  const { name: length, min, max } = lengthOf(channel);
  return (
    <Stack>
      <TextInput {...field('messageTheme')} required maxLength={200} data-autofocus />
      <TextInput {...field('occasion')} required maxLength={200} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput
          {...field(length)}
          required
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          description={t('send:generator.bounds', { min, max })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <NativeSelect
          {...field('emotionalTone')}
          data={TONES.map((value) => ({ value, label: t(`send:generator.tone.${value}`) }))}
        />
        <NativeSelect
          {...field('language')}
          data={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
        />
      </SimpleGrid>
      <TextInput {...field('additionalNotes1')} maxLength={500} />
      <div>
        <Textarea {...field('rephraseText')} autosize minRows={2} maxRows={6} maxLength={2000} />
        {text.trim() && !values.rephraseText && (
          <Button
            mt={4}
            size="compact-sm"
            variant="subtle"
            onClick={() => put({ rephraseText: text.slice(0, 2000) })}
          >
            {t('send:generator.takeText')}
          </Button>
        )}
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {box('endQuestion')}
        {box('addEmojis')}
      </SimpleGrid>
    </Stack>
  );
}

const WORD_MS = 60;

/** Shows a text word by word; at once when the user prefers reduced motion. Give it a `key` for each text. */
function WordByWord({ text }: { text: string }) {
  const isStill = useReducedMotion(false, { getInitialValueInEffect: false });
  const words = text.match(/\S+\s*/g) ?? [];
  const [shown, setShown] = useState(0);
  const isDone = isStill || shown >= words.length;
  useEffect(() => {
    if (isDone) return;
    const timer = setInterval(() => setShown((n) => n + 1), WORD_MS);
    return () => clearInterval(timer);
  }, [isDone]);
  return isDone ? text : words.slice(0, shown).join('');
}
