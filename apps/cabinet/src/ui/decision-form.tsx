import { Group, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../core/forms/contract-form.tsx';
import { SubmitButton } from '../core/forms/submit-button.tsx';
import { useContractForm } from '../core/forms/use-contract-form.tsx';
import { lacksReason, type Decision, type Verdict } from './decisions.ts';
import { IconCheck, IconX } from './icons.ts';

interface DecisionFormProps {
  /** What is decided about. */
  label: string;
  decisions: Decision[];
  /** A second comment, which only colleagues read. */
  hasPrivate?: boolean;
  /** A approves, R rejects or asks for the reason; keys act outside of dialogs alone. */
  withKeys?: boolean;
  onDecide: (verdict: Verdict) => Promise<unknown>;
}

interface DecisionValues extends Record<string, unknown> {
  /** Set by the button. */
  moderation: Decision | null;
  comment: string;
  privateComment: string;
}

/** Approves or rejects with a comment for the customer, who is owed one when it is rejected. */
export function DecisionForm(props: DecisionFormProps) {
  const { label, decisions, hasPrivate, withKeys, onDecide } = props;
  const { t } = useTranslation();
  const form = useContractForm({
    initial: { moderation: null, comment: '', privateComment: '' } as DecisionValues,
    check: ({ moderation, comment }) => ({
      comment: lacksReason(moderation!, comment) && t('decision.sayWhy'),
    }),
    toBody: ({ moderation, comment, privateComment }): Verdict => ({
      moderation: moderation!,
      ...(comment.trim() && { comment }),
      ...(privateComment.trim() && { privateComment }),
    }),
    submit: onDecide,
  });
  const decide = (moderation: Decision) => form.submit({ moderation });
  return (
    <ContractForm form={{ ...form, submit: () => {} }} label={label}>
      <Textarea
        {...form.field('comment')}
        label={t('decision.forCustomer')}
        description={t('decision.forCustomerHint')}
        autosize
        minRows={2}
        maxLength={1000}
      />
      {hasPrivate && (
        <Textarea
          {...form.field('privateComment')}
          label={t('decision.forColleagues')}
          description={t('decision.forColleaguesHint')}
          autosize
          minRows={2}
          maxLength={1000}
        />
      )}
      <Group>
        {decisions.includes('approved') && (
          <SubmitButton
            form={form}
            leftSection={<IconCheck size={18} aria-hidden />}
            onClick={() => decide('approved')}
            aria-keyshortcuts={withKeys ? 'a' : undefined}
          >
            {t('decision.approve')}
          </SubmitButton>
        )}
        {decisions.includes('rejected') && (
          <SubmitButton
            form={form}
            variant="outline"
            color="red"
            leftSection={<IconX size={18} aria-hidden />}
            onClick={() => decide('rejected')}
            aria-keyshortcuts={withKeys ? 'r' : undefined}
          >
            {t('decision.reject')}
          </SubmitButton>
        )}
      </Group>
    </ContractForm>
  );
}
