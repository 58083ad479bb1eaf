import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { fetched } from '../../core/lost-chunk.ts';
import { showSuccess } from '../../core/toast.tsx';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Created } from './send.api.ts';
import { useOnlySendername } from '../sendernames/sendernames.api.ts';
import { DraftState } from './draft/draft-state.tsx';
import { LeaveGuard } from './draft/leave-guard.tsx';
import type { Start } from './draft/start-values.ts';
import { useDraft } from './draft/use-draft.ts';
import { useMessage, useSendForm } from './form/form-context.ts';
import { emptyValues, NO_PAYLOAD } from './form/send-values.ts';
import { WizardProvider } from './form/wizard-context.ts';
import classes from './send.module.css';
import { SidePanel } from './side-panel.tsx';
import { StepNav } from './step-nav.tsx';
import { MessageStep } from './steps/message-step.tsx';
import { useTemplate } from './steps/use-template.ts';
import { useWizardSubmit } from './use-wizard-submit.ts';
import { useWizardState } from './use-wizard-state.ts';
import { WizardFooter } from './wizard-footer.tsx';

const loadRecipientsStep = () =>
  fetched(async () => (await import('./steps/recipients-step.tsx')).RecipientsStep);
const RecipientsStep = later(loadRecipientsStep);
const loadSendStep = () => fetched(async () => (await import('./steps/send-step.tsx')).SendStep);
const SendStep = later(loadSendStep);
const DraftNote = later(async () => (await import('./draft/draft-note.tsx')).DraftNote);
const UnusableNote = later(async () => (await import('./steps/unusable-note.tsx')).UnusableNote);

interface SendWizardProps {
  /** Where this tab keeps its draft. */
  place: string;
  start: Start;
}

export function SendWizard({ place, start }: SendWizardProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useSendForm();
  const wizard = useWizardState();
  const applied = useTemplate();
  const { fallbacks, type } = form.values;
  const draft = useDraft(place, start, applied.template);
  const { step } = wizard;
  // Before they are opened, so that a link to one of their fields finds the field.
  useEffect(() => void Promise.allSettled([loadRecipientsStep(), loadSendStep()]), []);

  const clear = () => {
    const { type, payload } = form.values;
    form.clearErrors();
    draft.closeNote();
    form.setValues({ ...emptyValues(type), payload: { ...NO_PAYLOAD, sender: payload.sender } });
  };
  /** A task leads to its progress; after a single message the next one begins, and the way to this one is offered. */
  const onCreated = (what: Created) => {
    clear();
    if ('task' in what) {
      showSuccess(t('send:accepted', { title: what.task.title }));
      return void navigate(`/messages/tasks?id=${what.task.id}`);
    }
    void navigate('/send?step=message');
    const { recipient, id } = what.receipt;
    const run = () => void navigate(`/messages/outgoing?id=${id}`);
    showSuccess(t('send:sent', { to: recipient }), { label: t('send:watch'), run });
  };
  const submit = useWizardSubmit(wizard, onCreated);

  return (
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
  );
}

/** Whatever step is open, and whether a fallback is expanded or not, the only name of a channel is chosen. */
function OnlySender({ fallback }: { fallback: number | null }) {
  const { message, set } = useMessage(fallback);
  useOnlySendername(message.type, message.payload.sender, (name) => set('sender', name));
  return null;
}
