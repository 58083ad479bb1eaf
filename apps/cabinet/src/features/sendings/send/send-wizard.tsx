import type { Task } from '@heliograph/contract';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useKeys } from '../../../core/keys/keys.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { CreatedNote } from './created-note.tsx';
import { DraftNote, DraftState } from './draft/draft-note.tsx';
import { focusField } from './form/focus-field.ts';
import { useSendForm } from './form/form-context.ts';
import { LeaveGuard } from './draft/leave-guard.tsx';
import { MessageStep } from './steps/message-step.tsx';
import { RecipientsStep } from './steps/recipients-step.tsx';
import { brokenIn, brokenRules, nextStep, stepOf, type Broken } from './form/send-rules.ts';
import { emptyValues, NO_PAYLOAD, type SendValues } from './form/send-values.ts';
import { SendStep } from './steps/send-step.tsx';
import classes from './send.module.css';
import { SidePanel } from './side-panel.tsx';
import { StepNav } from './step-nav.tsx';
import type { Start } from './draft/start-values.ts';
import { useDraft } from './draft/use-draft.ts';
import { useEstimate } from './form/use-estimate.ts';
import { usePrices } from './form/use-prices.ts';
import { useSample } from './form/use-sample.ts';
import { useSend } from './use-send.ts';
import { useStep } from './use-step.ts';
import { useTemplate } from './steps/use-template.ts';
import { WizardFooter } from './wizard-footer.tsx';
import { maySend, WizardProvider, type Wizard } from './form/wizard-context.ts';

interface SendWizardProps {
  userId: string;
  start: Start;
}

export function SendWizard({ userId, start }: SendWizardProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useSendForm();
  const { values } = form;
  const { step, go: show } = useStep();
  const applied = useTemplate();
  const draft = useDraft(userId, start, applied.template);
  const [created, setCreated] = useState<Task | null>(null);

  const settled = useDeferredValue(values);
  const recordings = usePrices().countsSeconds !== false;
  const check = useCallback(
    (now: SendValues) => brokenRules(now, Date.now(), { recordings }),
    [recordings],
  );
  const broken = useMemo(() => check(settled), [check, settled]);
  const wizard: Wizard = {
    step,
    broken,
    estimate: useEstimate(values, { recordings }),
    sample: useSample(values),
    go(to, field) {
      form.setErrors(field ? brokenIn(to, broken) : {});
      show(to);
      if (field) focusField(field);
    },
  };

  const clear = () => {
    form.clearErrors();
    draft.closeNote();
    form.setValues({
      ...emptyValues(values.type),
      payload: { ...NO_PAYLOAD, sender: values.payload.sender },
    });
  };
  /** Marks what is wrong in some fields and goes to the first; answers whether there was anything. */
  const stopAt = (wrong: Broken): boolean => {
    const [field] = Object.keys(wrong);
    if (!field) return false;
    if (stepOf(field) !== step) show(stepOf(field));
    form.setErrors(wrong);
    focusField(field);
    return true;
  };
  const sending = useSend(values, {
    onCreated(what) {
      clear();
      if ('task' in what) setCreated(what.task);
      void navigate('/send?step=message');
      const [text, path] =
        'task' in what
          ? [t('send:accepted', { title: what.task.title }), `tasks?id=${what.task.id}`]
          : [t('send:sent', { to: what.receipt.recipient }), `outgoing?id=${what.receipt.id}`];
      showSuccess(text, {
        label: t('send:watch'),
        run: () => void navigate(`/messages/${path}`),
      });
    },
    onRefused: stopAt,
  });
  const next = () => {
    const to = nextStep(step);
    if (to && !stopAt(brokenIn(step, check(values)))) show(to);
  };
  const send = () => {
    if (!sending.isPending && !stopAt(check(values))) sending.send();
  };
  useKeys({
    'mod+enter': () => {
      // It acts while somebody types; but a dialog has its own way on.
      if (document.querySelector('[aria-modal=true]')) return;
      if (step !== 'send') next();
      else if (maySend(wizard)) send();
      else stopAt(broken);
    },
  });

  return (
    <WizardProvider value={wizard}>
      <PageHeader title={t('send:title')}>
        <DraftState savedAt={draft.savedAt} />
      </PageHeader>
      {created && <CreatedNote task={created} onClose={() => setCreated(null)} />}
      {draft.found && (
        <DraftNote
          {...draft.found}
          onDiscard={draft.found.isWaiting ? draft.drop : clear}
          onKeep={draft.found.isWaiting ? draft.open : draft.closeNote}
        />
      )}
      <StepNav />
      <div className={classes.columns} data-wizard>
        <div>
          <h2 className="visually-hidden" tabIndex={-1} data-step-title>
            {t(`send:step.${step}`)}
          </h2>
          {step === 'message' && <MessageStep applied={applied} />}
          {step === 'recipients' && <RecipientsStep />}
          {step === 'send' && <SendStep />}
          <WizardFooter
            refusal={sending.refusal}
            isSending={sending.isPending}
            onNext={next}
            onSend={send}
          />
        </div>
        <aside className={classes.aside} aria-label={t('send:preview')}>
          <SidePanel />
        </aside>
      </div>
      <LeaveGuard
        isActive={draft.isOwn}
        isKept={draft.savedAt !== null}
        onAsk={draft.keep}
        onDiscard={clear}
      />
    </WizardProvider>
  );
}
