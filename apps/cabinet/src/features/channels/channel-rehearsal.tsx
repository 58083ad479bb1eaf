import type {
  ChannelRehearsal as Rehearsal,
  ChannelRehearsed,
  SendingType,
} from '@heliograph/contract';
import { Alert, Button, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { fieldErrors } from '../../core/errors.ts';
import { useRehearsal } from './channels.api.ts';
import { MONOSPACE } from './option-field.tsx';

interface ChannelRehearsalProps {
  driver: string;
  type: SendingType;
  options: () => z.input<typeof Rehearsal>['options'];
}

/** Tries the options of the form on a message, and on an answer and a callback of the carrier. Nothing is sent. */
export function ChannelRehearsal({ driver, type, options }: ChannelRehearsalProps) {
  const { t } = useTranslation();
  const rehearsal = useRehearsal();
  const [sample, setSample] = useState({
    recipient: '+79990000000',
    sender: 'TEST',
    text: t('channels:testText'),
    status: '200',
    body: '',
    callback: '',
  });
  const run = () => {
    const { recipient, sender, text, status, body, callback } = sample;
    rehearsal.mutate({
      driver,
      type,
      options: options(),
      recipient,
      payload: { sender, text },
      ...(body.trim() && { answer: { status: Number(status) || 0, body } }),
      ...(callback.trim() && { callback }),
    });
  };
  // These fields are not those of the form around them.
  const runOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    run();
  };
  const set = (name: keyof typeof sample) => ({
    value: sample[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setSample({ ...sample, [name]: event.currentTarget.value }),
  });
  return (
    <details>
      <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
        {t('channels:rehearsal.title')}
      </Text>
      <Stack mt="md" gap="sm">
        <Text size="sm">{t('channels:rehearsal.hint')}</Text>
        <Group grow align="flex-end">
          <TextInput {...set('recipient')} label={t('channels:phone')} onKeyDown={runOnEnter} />
          <TextInput {...set('sender')} label={t('channels:sender')} onKeyDown={runOnEnter} />
        </Group>
        <Textarea {...set('text')} label={t('channels:text')} autosize minRows={1} maxRows={6} />
        <Textarea
          {...set('body')}
          label={t('channels:rehearsal.answer')}
          description={t('channels:rehearsal.answerHint')}
          autosize
          minRows={2}
          maxRows={10}
          styles={MONOSPACE}
          spellCheck={false}
        />
        <TextInput
          {...set('status')}
          label={t('channels:rehearsal.status')}
          inputMode="numeric"
          maxLength={3}
          onKeyDown={runOnEnter}
        />
        <Textarea
          {...set('callback')}
          label={t('channels:rehearsal.callback')}
          description={t('channels:rehearsal.callbackHint')}
          autosize
          minRows={2}
          maxRows={10}
          styles={MONOSPACE}
          spellCheck={false}
        />
        <Group>
          <Button variant="default" onClick={run} loading={rehearsal.isPending}>
            {t('channels:rehearsal.run')}
          </Button>
        </Group>
        <div role="status">
          {rehearsal.error && <Refusal error={rehearsal.error} />}
          {rehearsal.data && !rehearsal.error && <Outcome rehearsed={rehearsal.data} />}
        </div>
      </Stack>
    </details>
  );
}

/** The options that cannot be tried, by their names. */
function Refusal({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const issues = fieldErrors(error);
  return (
    <Alert color="red">
      {issues.length === 0 && (error as Error).message}
      {issues.map(({ path, message }) => {
        const name = path.replace('options.', '');
        return (
          <Text size="sm" key={path + message}>
            {t(`channels:option.${name}`, { defaultValue: name })}: {message}
          </Text>
        );
      })}
    </Alert>
  );
}

function Outcome({ rehearsed: { request, result, callback } }: { rehearsed: ChannelRehearsed }) {
  const { t } = useTranslation();
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [`${request.method} ${request.url}`, ...headers];
  return (
    <Stack gap="sm">
      <Block title={t('channels:rehearsal.request')}>
        {[...lines, ...(request.body === null ? [] : ['', pretty(request.body)])].join('\n')}
      </Block>
      {result && (
        <Text size="sm">
          <b>{t(`channels:rehearsal.result.${result.result}`)}</b>
          {[result.externalId, result.code, result.text].filter(Boolean).map((said) => (
            <span key={said}> · {said}</span>
          ))}
        </Text>
      )}
      {callback && (
        <Block title={t('channels:rehearsal.read')}>{JSON.stringify(callback, null, 2)}</Block>
      )}
    </Stack>
  );
}

function Block({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {children}
      </Code>
    </div>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
