import { exampleOf, readHttpCall } from '@heliograph/domain';
import {
  Alert,
  Anchor,
  Button,
  Group,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useEffect, useId, useRef, useState, type FormEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { CodePane } from '../../ui/code-pane.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { IconAlertTriangle, IconSend } from '../../ui/icons.ts';
import { SecretInput } from '../../ui/secret-input.tsx';
import { useCreateToken } from '../tokens/tokens.api.ts';
import classes from './documentation.module.css';
import type { OfferedCall, Parameter } from './offered-calls.ts';
import {
  exampleValues,
  isJson,
  pathWith,
  sendCall,
  testOnly,
  type CallAnswer,
} from './send-call.ts';

/** Hours for which a token that is made here is valid. */
const LIFETIME_HOURS = 8;
const PANE = 420;

interface CallConsoleProps {
  call: OfferedCall;
  /** The test token of this page, which nothing else remembers. */
  tokenRef: RefObject<string>;
  onClose: () => void;
}

/** Sends a call of the reference with a test token and shows the answer. */
export function CallConsole({ call, tokenRef, onClose }: CallConsoleProps) {
  const { t } = useTranslation();
  const title = t('documentation:console.title', { call: call.title });
  return (
    <Sheet opened onClose={onClose} size="lg" title={title} savesNothing>
      <CallForm call={call} tokenRef={tokenRef} />
    </Sheet>
  );
}

function CallForm({ call, tokenRef }: Omit<CallConsoleProps, 'onClose'>) {
  const { t } = useTranslation();
  const example = readHttpCall(call.text);
  const [key, setKey] = useState(tokenRef.current);
  const [values, setValues] = useState(() => exampleValues(call.title, example));
  const [body, setBody] = useState(example.body);
  const { answer, isFailed, isSending, send } = useCall();

  const parameters = call.parameters.filter(({ name }) => name !== 'Idempotency-Key');
  const isNeeded = ({ name, isRequired }: Parameter) =>
    isRequired || call.title.includes(`{${name}}`);
  const lists = new Set(
    parameters.filter(({ type }) => type.startsWith('array')).map(({ name }) => name),
  );
  const isWrong = body.trim() !== '' && !isJson(body);
  const lacks = parameters.filter((one) => isNeeded(one) && !values[one.name]?.trim());
  const sent = { ...example, path: pathWith(call.title, values, lists), body: body.trim() };
  const blockedBy = !key
    ? t('documentation:console.tokenNeeded')
    : lacks.length
      ? t('documentation:console.valueNeeded', { name: lacks[0]!.name })
      : null;

  const change = (next: string) => {
    setKey(next);
    tokenRef.current = next;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!blockedBy && !isWrong) send(sent, key);
  };
  const fields = (some: Parameter[]) =>
    some.map((one) => (
      <TextInput
        key={one.name}
        label={one.name}
        description={one.meaning}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required={isNeeded(one)}
        value={values[one.name] ?? ''}
        onChange={({ currentTarget: { value } }) => setValues({ ...values, [one.name]: value })}
        autoComplete="off"
        spellCheck={false}
      />
    ));
  const optional = parameters.filter((one) => !isNeeded(one));

  return (
    <Stack>
      <form onSubmit={submit} noValidate>
        <Stack>
          <KeyField value={key} onChange={change} />
          {fields(parameters.filter(isNeeded))}
          {optional.length > 0 && (
            <details className={classes.optional}>
              <summary>{t('documentation:console.optional', { number: optional.length })}</summary>
              <Stack mt="sm">{fields(optional)}</Stack>
            </details>
          )}
          {example.body && (
            <Textarea
              label={t('documentation:console.body')}
              value={body}
              onChange={({ currentTarget: { value } }) => setBody(value)}
              error={isWrong && t('documentation:console.noJson')}
              autosize
              minRows={4}
              maxRows={16}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
          )}
          <Group>
            <Button
              type="submit"
              loading={isSending}
              disabled={blockedBy !== null || isWrong}
              leftSection={<IconSend size={16} aria-hidden />}
            >
              {t('documentation:console.send')}
            </Button>
            {blockedBy && (
              <Text size="sm" c="dimmed">
                {blockedBy}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
      <div role="status">
        {isFailed && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            {t('documentation:console.failed')}
          </Alert>
        )}
        {answer && <AnswerLine answer={answer} />}
      </div>
      {answer && <Answer answer={answer} />}
      <CodePane
        label={t('documentation:console.curl')}
        hint={t('documentation:console.curl')}
        code={exampleOf('curl', location.origin, testOnly(isWrong ? { ...sent, body: '' } : sent))}
        maxHeight={PANE}
      />
    </Stack>
  );
}

/** The last call of a console. Another one, or the end of the console, gives up the one before it. */
function useCall() {
  const [state, setState] = useState<{ answer: CallAnswer | null; isFailed: boolean }>({
    answer: null,
    isFailed: false,
  });
  const [isSending, setSending] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = (...[call, key]: [Parameters<typeof sendCall>[0], string]) => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setSending(true);
    void sendCall(call, key, mine.signal)
      .then((answer) => ({ answer, isFailed: false }))
      .catch(() => ({ answer: null, isFailed: true }))
      .then((next) => {
        if (mine.signal.aborted) return;
        setState(next);
        setSending(false);
      });
  };
  return { ...state, isSending, send };
}

interface KeyFieldProps {
  value: string;
  onChange: (key: string) => void;
}

function KeyField({ value, onChange }: KeyFieldProps) {
  const { t } = useTranslation();
  const { token, previous } = useSession();
  return (
    <Stack gap="xs">
      <SecretInput
        label={t('documentation:console.token')}
        description={t('documentation:console.tokenHint')}
        value={value}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value.trim().replace(/^Bearer\s+/i, ''))
        }
        autoComplete="off"
      />
      {token !== null && !previous && !value && <MakeKey onMade={onChange} />}
    </Stack>
  );
}

/** Makes a test token that ends soon, for those who may make tokens. */
function MakeKey({ onMade }: { onMade: (key: string) => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const create = useCreateToken();
  if (!can('tokens.create')) return null;
  const make = () =>
    create.mutate(
      {
        description: t('documentation:console.tokenDescription'),
        isTest: true,
        expiredAt: new Date(Date.now() + LIFETIME_HOURS * 3_600_000).toISOString(),
      },
      { onSuccess: ({ token }) => onMade(token) },
    );
  return (
    <Button
      variant="default"
      onClick={make}
      loading={create.isPending}
      style={{ alignSelf: 'start' }}
    >
      {t('documentation:console.makeToken', { hours: LIFETIME_HOURS })}
    </Button>
  );
}

function AnswerLine({ answer: { status, statusText, duration, code } }: { answer: CallAnswer }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {t('documentation:console.answered', { status, text: statusText, duration })}
      </Text>
      {code === 'test_token_required' && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
          {t('errors:code.test_token_required')}
        </Alert>
      )}
    </Stack>
  );
}

function Answer({ answer: { headers, text, isCut, code, docs } }: { answer: CallAnswer }) {
  const { t } = useTranslation();
  const id = useId();
  const label = t('documentation:console.answer');
  return (
    <Stack gap="xs" component="section" aria-labelledby={id}>
      <Title order={3} size="h5" id={id}>
        {label}
      </Title>
      {docs && (
        <Anchor href={docs} target="_blank" size="sm">
          {t('documentation:console.aboutError', { code })}
        </Anchor>
      )}
      <dl className={classes.headers}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {text === null ? (
        <Text size="sm">{t('documentation:console.file')}</Text>
      ) : (
        text && <CodePane label={label} hint="" code={text} maxHeight={PANE} />
      )}
      {isCut && <Text size="sm">{t('documentation:console.cut')}</Text>}
    </Stack>
  );
}
