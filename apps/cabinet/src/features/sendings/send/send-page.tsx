import { Alert, Button, Paper, Stack, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, requestId } from '../../../core/errors.ts';
import { IconAlertTriangle, IconSend } from '../../../ui/icons.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { EstimatePanel } from './estimate-panel.tsx';
import { FallbackFields } from './fallback-fields.tsx';
import { focusFirstError } from './focus-first-error.ts';
import { SendFormProvider, useCreateSendForm } from './form-context.ts';
import { MessageFields } from './message-fields.tsx';
import { RecipientFields } from './recipient-fields.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import classes from './send.module.css';
import { brokenRules, emptyValues } from './send-values.ts';
import { useFormTypes } from './use-form-types.ts';
import { useSend } from './use-send.ts';

export function SendPage() {
  const { t } = useTranslation();
  const [firstType = 'sms'] = useFormTypes();
  const form = useCreateSendForm({ initialValues: emptyValues(firstType), validate: brokenRules });
  const { mutate, isPending, error } = useSend((rules) => {
    form.setErrors(rules);
    focusFirstError();
  });
  const id = requestId(error);
  return (
    <SendFormProvider form={form}>
      <PageHeader title={t('send:title')} />
      <form
        noValidate
        className={classes.columns}
        onSubmit={form.onSubmit((values) => {
          if (!isPending) mutate(values);
        }, focusFirstError)}
      >
        <Stack>
          <Section title={t('send:message')}>
            <MessageFields />
          </Section>
          <Section title={t('send:recipients')}>
            <RecipientFields />
          </Section>
          <Section title={t('send:fallbacks')}>
            <FallbackFields />
          </Section>
          <Section title={t('send:schedule')}>
            <ScheduleFields />
          </Section>
        </Stack>
        <Stack className={classes.aside}>
          <EstimatePanel />
          {!!error && (
            <Alert
              color="red"
              role="alert"
              icon={<IconAlertTriangle aria-hidden />}
              title={errorText(t, error)}
            >
              {id ? t('errors:requestId', { id }) : null}
            </Alert>
          )}
          <Button
            type="submit"
            size="md"
            loading={isPending}
            leftSection={<IconSend size={18} aria-hidden />}
          >
            {t('send:submit')}
          </Button>
        </Stack>
      </form>
    </SendFormProvider>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Title order={2} size="h4" mb="sm" id={id}>
        {title}
      </Title>
      {children}
    </Paper>
  );
}
