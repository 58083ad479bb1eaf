import { Alert, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { ConfirmPhone } from '../../ui/confirm-phone.tsx';
import { IconAlertTriangle, IconSend } from '../../ui/icons.ts';
import { estimateText } from '../estimates/estimates.api.ts';
import { missingOf } from './form/funds.ts';
import { useSendForm, isComplete, maySend, useWizard } from './form/send-form.ts';
import { brokenIn, previousStep, problemOf } from './form/send-rules.ts';
import classes from './send.module.css';

/** The way on by keys, from wherever one is. */
const ONWARD = 'Control+Enter Meta+Enter';
/** The id of the text that explains why the short cut is disabled. */
const WHY = 'send-why-not';

interface WizardFooterProps {
  /** Why it was not sent, and the id to quote; null when it was not refused. */
  refusal: RefusalProps['refusal'] | null;
  /** The phone has to be confirmed first. */
  needsPhone: boolean;
  isSending: boolean;
  onNext: () => void;
  onSend: () => void;
}

/** Back, next, and the send button with the number of messages and the price. */
export function WizardFooter({
  refusal,
  needsPhone,
  isSending,
  onNext,
  onSend,
}: WizardFooterProps) {
  const { t } = useTranslation();
  const { step, go } = useWizard();
  const back = previousStep(step);
  return (
    <>
      <Short />
      {refusal && <Refusal refusal={refusal} needsPhone={needsPhone} />}
      <div className={classes.footer}>
        {back ? (
          <Button variant="default" onClick={() => go(back)}>
            {t('send:back')}
          </Button>
        ) : (
          <span />
        )}
        {step !== 'message' && (
          <SendButton isMini={step === 'recipients'} isSending={isSending} onSend={onSend} />
        )}
        {step !== 'send' && (
          <Button aria-keyshortcuts={ONWARD} onClick={onNext}>
            {t('send:next')}
          </Button>
        )}
      </div>
      {step === 'recipients' ? <WhyNot /> : <Refused />}
    </>
  );
}

/** Warns on every step that the balance, or a spend cap, does not cover the message. */
function Short() {
  const { t } = useTranslation();
  const can = useCan();
  const [params, setParams] = useSearchParams();
  const { shortage, estimate } = useWizard();
  const formats = useFormats(estimate.estimate?.currency);
  const { amount = null, available = null, cap } = shortage ?? {};
  const values = {
    amount: formats.money(amount ?? 0),
    available: formats.money(available ?? 0),
    time: cap && formats.dateTime(cap.resetsAt),
  };
  const missing = missingOf(shortage);
  // The dialog is the shell's; the step stays where it is.
  const topUp = () =>
    setParams({
      ...Object.fromEntries(params),
      topUp: 'true',
      ...(missing !== undefined && { topUpAmount: String(missing) }),
    });
  const reason = cap ? `cap.${cap.period}` : amount === null ? 'one' : 'all';
  return (
    <div role="status">
      {shortage && (
        <Alert color="red" mt="md" icon={<IconAlertTriangle aria-hidden />}>
          {available === null ? t('send:estimate.notEnough') : t(`send:short.${reason}`, values)}
          {!cap && can('payments.create') && (
            <div>
              <Button mt="xs" size="xs" onClick={topUp}>
                {missing === undefined
                  ? t('shell:balance.topUp')
                  : t('send:topUpFor', { amount: formats.money(missing) })}
              </Button>
            </div>
          )}
        </Alert>
      )}
    </div>
  );
}

/** Why the short cut is off, the faults of this step first. */
function WhyNot() {
  const { t } = useTranslation();
  const { step, broken } = useWizard();
  const [[field, rule] = []] = [
    ...Object.entries(brokenIn(step, broken)),
    ...Object.entries(broken),
  ];
  return (
    <Text id={WHY} size="xs" c="dimmed" mt={6} mih={18} role="status">
      {field && rule && problemOf(t, field, rule)}
    </Text>
  );
}

/** What Next has found on this step, beside the button: the field may be out of sight, or there may be none. */
function Refused() {
  const { t } = useTranslation();
  const { step, broken } = useWizard();
  const { errors, refusal } = useSendForm();
  const isFound = (field: string) =>
    !!errors[field] || refusal?.unmarked.some(({ path }) => path === field);
  const [[field, rule] = []] = Object.entries(brokenIn(step, broken)).filter(([path]) =>
    isFound(path),
  );
  return (
    <Text size="sm" c="var(--mantine-color-error)" mt={6} ta="right" role="alert">
      {field && rule && problemOf(t, field, rule)}
    </Text>
  );
}

/** The send button with the number of messages and the price; disabled until the price of the current values is known. */
function SendButton({
  isMini,
  isSending,
  onSend,
}: {
  isMini: boolean;
  isSending: boolean;
  onSend: () => void;
}) {
  const { t } = useTranslation();
  const wizard = useWizard();
  const { estimate, isCurrent } = wizard.estimate;
  const formats = useFormats(estimate?.currency);
  const values = {
    count: estimate?.recipients ?? 0,
    number: formats.number(estimate?.recipients ?? 0),
    amount: estimateText(t, formats, { amount: 0, ...estimate }),
  };
  return (
    <Button
      aria-keyshortcuts={isMini ? undefined : ONWARD}
      aria-describedby={isMini ? WHY : undefined}
      data-action={isMini ? 'short cut' : 'main'}
      size={isMini ? 'sm' : 'lg'}
      variant={isMini ? 'default' : 'filled'}
      loading={isSending}
      disabled={!maySend(wizard)}
      leftSection={<IconSend size={18} aria-hidden />}
      onClick={onSend}
      mah="none"
      h="auto"
      mih={isMini ? 36 : 50}
      py={6}
      styles={{ label: { whiteSpace: 'normal', height: 'auto', overflow: 'visible' } }}
    >
      {isComplete(wizard) && isCurrent && estimate
        ? estimate.exact
          ? t('send:submitFor', values)
          : t('send:submitForAbout', values)
        : t('send:submit')}
    </Button>
  );
}

interface RefusalProps {
  refusal: { text: string; requestId?: string };
  needsPhone: boolean;
}

/** Why the message was not sent. */
function Refusal({ refusal: { text, requestId: id }, needsPhone }: RefusalProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" mt="md" icon={<IconAlertTriangle aria-hidden />} title={text}>
      {id ? <Text size="xs">{t('errors:requestId', { id })}</Text> : null}
      {needsPhone && <ConfirmPhone />}
    </Alert>
  );
}
