import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { fetched } from '../../core/lost-chunk.ts';
import { showSuccess } from '../../core/toast.tsx';
import { IconCheck } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useOnlySendername } from '../sendernames/sendernames.api.ts';
import type { Start } from './draft/draft.ts';
import { DraftState, LeaveGuard, useDraft } from './draft/use-draft.tsx';
import { STEPS, stepStates } from './form/send-rules.ts';
import { emptyValues, NO_PAYLOAD } from './form/send-values.ts';
import { SendFormProvider, useMessage, useWizard, WizardProvider } from './form/send-form.ts';
import type { Created } from './send.api.ts';
import classes from './send.module.css';
import { SidePanel } from './side-panel.tsx';
import { MessageStep } from './steps/message-step.tsx';
import { UnusableNote, useTemplate } from './steps/template.tsx';
import { useSendWizard } from './use-wizard.ts';
import { WizardFooter } from './wizard-footer.tsx';

const loadRecipientsStep = () =>
  fetched(async () => (await import('./steps/recipients-step.tsx')).RecipientsStep);
const RecipientsStep = later(loadRecipientsStep);
const loadSendStep = () => fetched(async () => (await import('./steps/send-step.tsx')).SendStep);
const SendStep = later(loadSendStep);
const DraftNote = later(async () => (await import('./draft/draft-questions.tsx')).DraftNote);

interface SendWizardProps {
  /** Where this tab keeps its draft. */
  draftKey: string;
  start: Start;
}

export function SendWizard({ draftKey, start }: SendWizardProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { form, wizard, submit } = useSendWizard(start.values, onCreated);
  const applied = useTemplate(form);
  const { fallbacks, type } = form.values;
  const draft = useDraft(form, draftKey, start, applied.template);
  const { step } = wizard;
  // Before they are opened, so that a link to one of their fields finds the field.
  useEffect(() => void Promise.allSettled([loadRecipientsStep(), loadSendStep()]), []);

  const clear = () => {
    const { type, payload } = form.values;
    draft.closeNote();
    form.set({ ...emptyValues(type), payload: { ...NO_PAYLOAD, sender: payload.sender } });
  };
  /** A task leads to its progress; after a single message the next one begins, and the way to this one is offered. */
  function onCreated(what: Created): void {
    clear();
    if ('task' in what) {
      showSuccess(t('send:accepted', { title: what.task.title }));
      return void navigate(`/messages/tasks/${what.task.id}`);
    }
    void navigate('/send?step=message');
    const { recipient, id } = what.receipt;
    const run = () => void navigate(`/messages/outgoing?id=${id}`);
    showSuccess(t('send:sent', { to: recipient }), { label: t('send:watch'), run });
  }

  return (
    <SendFormProvider value={form}>
      <WizardProvider value={wizard}>
        <PageHeader title={t('send:title')}>
          <DraftState savedAt={draft.savedAt} />
        </PageHeader>
        {draft.found && (
          <DraftNote
            {...draft.found}
            onDiscard={draft.found.isWaiting ? draft.drop : clear}
            onKeep={draft.found.isWaiting ? draft.open : draft.closeNote}
          />
        )}
        {applied.unusable && <UnusableNote template={applied.unusable} />}
        <OnlySender key={type} fallback={null} />
        {fallbacks.map(({ id, type: other }, at) => (
          <OnlySender key={id + other} fallback={at} />
        ))}
        <StepNav />
        <div className={classes.columns} data-wizard>
          <div>
            <h2 className="visually-hidden" tabIndex={-1} data-step-title>
              {t(`send:step.${step}`)}
            </h2>
            {step === 'message' && <MessageStep applied={applied} />}
            {step === 'recipients' && <RecipientsStep />}
            {step === 'send' && <SendStep />}
            <WizardFooter {...submit} />
          </div>
          <aside className={classes.aside} aria-label={t('send:preview')}>
            <SidePanel />
          </aside>
        </div>
        <LeaveGuard
          isActive={draft.isOwn}
          isKept={draft.savedAt !== null}
          keep={draft.keep}
          onDiscard={clear}
        />
      </WizardProvider>
    </SendFormProvider>
  );
}

/** Whatever step is open, and whether a fallback is expanded or not, the only name of a channel is chosen. */
function OnlySender({ fallback }: { fallback: number | null }) {
  const { message, set } = useMessage(fallback);
  useOnlySendername(message.type, message.payload.sender, (name) => set('sender', name));
  return null;
}

/** The three steps with their states; each can be opened. */
function StepNav() {
  const { t } = useTranslation();
  const { step: current, go, broken } = useWizard();
  const states = stepStates(current, broken);
  return (
    <nav aria-label={t('send:steps')}>
      <ol className={classes.steps}>
        {STEPS.map((step, index) => (
          <li key={step} className={classes.item}>
            <button
              type="button"
              className={classes.step}
              data-state={states[step]}
              aria-current={step === current ? 'step' : undefined}
              aria-keyshortcuts={`Alt+${index + 1}`}
              onClick={() => go(step)}
            >
              <span className={classes.mark} aria-hidden>
                {states[step] === 'success' ? <IconCheck size={16} /> : index + 1}
              </span>
              <span>{t(`send:step.${step}`)}</span>
              <span className="visually-hidden">{t(`send:stepState.${states[step]}`)}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
