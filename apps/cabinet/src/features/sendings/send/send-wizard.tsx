import type { Task } from '@heliograph/contract';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { showSuccess } from '../../../core/toast.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { CreatedNote } from './created-note.tsx';
import { DraftNote, DraftState } from './draft-note.tsx';
import { focusField } from './focus-field.ts';
import { useSendForm } from './form-context.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { MessageStep } from './message-step.tsx';
import { RecipientsStep } from './recipients-step.tsx';
import { brokenIn, brokenRules, nextStep, stepOf } from './send-rules.ts';
import { emptyValues, isBlank, NO_PAYLOAD } from './send-values.ts';
import { SendStep } from './send-step.tsx';
import classes from './send.module.css';
import { SidePanel } from './side-panel.tsx';
import { StepNav } from './step-nav.tsx';
import { useDraft } from './use-draft.ts';
import { useEstimate } from './use-estimate.ts';
import { useReceiptFault } from './use-receipt-fault.ts';
import { useSample } from './use-sample.ts';
import { useSend } from './use-send.ts';
import { useStep } from './use-step.ts';
import { useTemplate } from './use-template.ts';
import { WizardFooter } from './wizard-footer.tsx';
import { WizardProvider, type Wizard } from './wizard-context.ts';

interface SendWizardProps {
  userId: string;
  /** When the draft was kept that the form began with. */
  restoredAt: number | null;
}

export function SendWizard({ userId, restoredAt }: SendWizardProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useSendForm();
  const { values } = form;
  const { step, go: show } = useStep();
  const applied = useTemplate();
  const { savedAt, keep } = useDraft(userId, values);
  const [isRestored, setRestored] = useState(restoredAt !== null);
  const [created, setCreated] = useState<Task | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const faultOf = useReceiptFault();
  // The way on after sending is not asked about.
  const isDone = useRef(false);

  const settled = useDeferredValue(values);
  const broken = useMemo(() => brokenRules(settled, Date.now()), [settled]);
  const wizard: Wizard = {
    step,
    broken,
    estimate: useEstimate(values),
    sample: useSample(values),
    go(to, field) {
      form.setErrors(field ? brokenIn(to, broken) : {});
      show(to);
      if (field) focusField(field);
    },
  };

  const clear = () => {
    form.clearErrors();
    setRestored(false);
    form.setValues({
      ...emptyValues(values.type),
      payload: { ...NO_PAYLOAD, sender: values.payload.sender },
    });
  };
  const { mutate, isPending } = useSend({
    onCreated(result) {
      if ('receipt' in result) {
        const fault = faultOf(result.receipt);
        if (fault) return setRefusal(fault);
        isDone.current = true;
        clear();
        void navigate(`/messages/outgoing?id=${result.receipt.id}`);
        return showSuccess(t('send:sent', { to: result.receipt.recipient }));
      }
      const { task } = result;
      clear();
      setCreated(task);
      void navigate('/send?step=message');
      showSuccess(t('send:accepted', { title: task.title }), {
        label: t('send:watch'),
        run: () => void navigate(`/messages/tasks?id=${task.id}`),
      });
    },
    onRefused(refused) {
      const [field] = Object.keys(refused);
      if (!field) return;
      show(stepOf(field));
      form.setErrors(refused);
      focusField(field);
    },
  });

  /** Marks what is wrong in some fields and goes to the first; answers whether there was anything. */
  const stopAt = (wrong: Record<string, string>): boolean => {
    const [field] = Object.keys(wrong);
    if (!field) return false;
    if (stepOf(field) !== step) show(stepOf(field));
    form.setErrors(wrong);
    focusField(field);
    return true;
  };
  const next = () => {
    const to = nextStep(step);
    if (to && !stopAt(brokenIn(step, brokenRules(values, Date.now())))) show(to);
  };
  const send = () => {
    setRefusal(null);
    if (!isPending && !stopAt(brokenRules(values, Date.now()))) {
      mutate(values, { onError: setRefusal });
    }
  };

  return (
    <WizardProvider value={wizard}>
      <PageHeader title={t('send:title')}>
        <DraftState savedAt={savedAt} />
      </PageHeader>
      {created && <CreatedNote task={created} onClose={() => setCreated(null)} />}
      {isRestored && (
        <DraftNote at={restoredAt!} onDiscard={clear} onClose={() => setRestored(false)} />
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
          <WizardFooter refusal={refusal} isSending={isPending} onNext={next} onSend={send} />
        </div>
        <aside className={classes.aside} aria-label={t('send:preview')}>
          <SidePanel />
        </aside>
      </div>
      <LeaveGuard
        isActive={() => !isDone.current && !isBlank(values)}
        isKept={savedAt !== null}
        onAsk={keep}
        onDiscard={clear}
      />
    </WizardProvider>
  );
}
