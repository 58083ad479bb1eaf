import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../core/toast.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProofForm } from './proof-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useDisable, useReplaceCodes } from './security.api.ts';
import { SecondFactorSetupSection } from './setup-section.tsx';

export type FactorChange = 'enable' | 'disable' | 'codes';

interface FactorDialogProps {
  change: FactorChange;
  opened: boolean;
  onClose: () => void;
}

/** Turns the second factor on or off, or replaces the recovery codes. */
export function FactorDialog({ change, opened, onClose }: FactorDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t(`security:${change}Title`)} size={500}>
      {change === 'enable' && (
        <SecondFactorSetupSection
          onDone={() => {
            showSuccess(t('security:enabled'));
            onClose();
          }}
        />
      )}
      {change === 'disable' && <Disable onClose={onClose} />}
      {change === 'codes' && <NewCodes onClose={onClose} />}
    </Dialog>
  );
}

function Disable({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const change = useDisable();
  return (
    <ProofForm
      text={t('security:disableText')}
      submit={t('security:disable')}
      change={change}
      onDone={() => {
        showSuccess(t('security:disabled'));
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

function NewCodes({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<string[] | null>(null);
  const change = useReplaceCodes();
  if (codes) return <RecoveryCodes codes={codes} onDone={onClose} />;
  return (
    <ProofForm
      text={t('security:codesText')}
      submit={t('security:codesSubmit')}
      change={change}
      onDone={(result) => setCodes(result.codes)}
      onCancel={onClose}
    />
  );
}
